import { setTimeout as wait } from 'node:timers/promises'
import { button, row } from './support/actions.ts'
import { expect, test } from './support/world.ts'

test('while a page is on its way its spinner turns and the rows stay; the way back needs no waiting', async ({
  page,
  enter,
}) => {
  await enter('/projects/batch-lab/instances')
  await page.route(/page_token=/, async (route) => {
    await wait(1500)
    await route.continue()
  })
  await expect(row(page, 'worker-001')).toBeVisible()
  const spinner = page.getByRole('navigation', { name: 'Pagination' }).getByLabel('Spinner')
  await button(page, 'next').click()
  await expect(spinner).toBeVisible()
  await expect(row(page, 'worker-001')).toBeVisible()
  await expect(row(page, 'worker-064')).toBeVisible()
  await expect(spinner).toBeHidden()
  await button(page, 'prev').click()
  await expect(row(page, 'worker-001')).toBeVisible({ timeout: 1000 })
})
