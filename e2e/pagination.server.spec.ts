import { button, heading, holdBack, row } from './support/actions.ts'
import { expect, test } from './support/world.ts'

test('while a page is loading there is a spinner and the rows stay; going back needs no loading', async ({
  page,
  enter,
}) => {
  await enter('/projects/batch-lab/instances')
  const letGo = await holdBack(page, /page_token=/)
  await expect(row(page, 'worker-001')).toBeVisible()
  const spinner = page.getByRole('navigation', { name: 'Pagination' }).getByLabel('Spinner')
  await button(page, 'next').click()
  await expect(spinner).toBeVisible()
  // However long it takes.
  await page.waitForTimeout(1000)
  await expect(spinner).toBeVisible()
  await expect(row(page, 'worker-001')).toBeVisible()
  letGo()
  await expect(row(page, 'worker-064')).toBeVisible()
  await expect(spinner).toBeHidden()
  await button(page, 'prev').click()
  await expect(row(page, 'worker-001')).toBeVisible()
})

test('a page that is waited for is the current one in the sidebar, with a line at the top, until it is there', async ({
  page,
  enter,
}) => {
  await enter('/projects/batch-lab/instances')
  await expect(row(page, 'worker-001')).toBeVisible()
  const letGo = await holdBack(page, /\/v1\/disks/)
  const sidebar = page.getByRole('navigation', { name: 'Sidebar navigation' })
  const line = page.locator('.loading-bar')
  await expect(line).toBeHidden()
  await sidebar.getByRole('link', { name: 'Disks' }).click()
  await expect(line).toBeVisible()
  await expect(sidebar.locator('[aria-current]')).toHaveText('Disks')
  await expect(heading(page, 'Instances')).toBeVisible()
  letGo()
  await expect(heading(page, 'Disks')).toBeVisible()
  await expect(sidebar.locator('[aria-current]')).toHaveText('Disks')
  await expect(page.locator('.loading-bar, .loading-bar-done')).toBeHidden()
})

test('a search on a slow connection keeps the rows, the text and the focus until the response', async ({
  page,
  enter,
}) => {
  await enter('/projects/batch-lab/instances')
  const letGo = await holdBack(page, /find=/)
  const box = page.getByRole('combobox', { name: 'Search instances' })
  await box.pressSequentially('worker-06')
  await page.waitForTimeout(1000)
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('worker-06')
  await expect(row(page, 'worker-001')).toBeVisible()
  letGo()
  await expect(row(page, 'worker-064')).toBeVisible()
  await expect(row(page, 'worker-001')).toBeHidden()
  await expect(box).toBeFocused()
})
