import type { Page } from '@playwright/test'
import { button, expectDisabled, expectEnabled, expectPath, heading, jumpTo } from './support/actions.ts'
import { expect, test } from './support/world.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Instances' }).locator('tbody tr')
const names = (page: Page) => rows(page).getByRole('link')
const list = '/projects/batch-lab/instances'

test('a long list is walked through page by page, and back', async ({ page, enter }) => {
  await enter(list)
  await expect(rows(page)).toHaveCount(50)
  await expectDisabled(button(page, 'prev'), 'This is the first page')
  await page.getByTestId('scroll-container').evaluate((box) => box.scrollTo(0, 800))
  await button(page, 'next').click()
  await expect(rows(page)).toHaveCount(14)
  await expect(names(page).last()).toHaveText('worker-064')
  await expectDisabled(button(page, 'next'), 'This is the last page')
  await expect.poll(() => page.getByTestId('scroll-container').evaluate((box) => box.scrollTop)).toBe(0)
  await button(page, 'prev').click()
  await expect(rows(page)).toHaveCount(50)
  await expect(names(page).first()).toHaveText('worker-001')
  await expectPath(page, list)
})

test('the number of rows is a choice and stays, as does the page, after a reload', async ({
  page,
  enter,
}) => {
  await enter(list)
  await page.getByRole('combobox', { name: 'rows per page' }).selectOption('25')
  await expect(rows(page)).toHaveCount(25)
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-026')
  await page.reload()
  await expect(names(page).first()).toHaveText('worker-026')
  await expect(page.getByRole('combobox', { name: 'rows per page' })).toHaveValue('25')
  await expectEnabled(button(page, 'prev'))
  await button(page, 'next').click()
  await expect(rows(page)).toHaveCount(14)
  await page.getByRole('combobox', { name: 'rows per page' }).selectOption('100')
  await expect(rows(page)).toHaveCount(64)
  await expectDisabled(button(page, 'next'), 'This is the last page')
})

test('the palette leads to a row of another page', async ({ page, enter }) => {
  await enter(list)
  await expect(names(page).first()).toHaveText('worker-001')
  await jumpTo(page, 'worker-060')
  await expect(heading(page, 'worker-060')).toBeVisible()
})

test('prev leads to the page before, also after a reload', async ({ page, enter }) => {
  await enter(`${list}?size=25`)
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-026')
  await button(page, 'next').click()
  await expect(names(page).first()).toHaveText('worker-051')
  await page.reload()
  await expect(names(page).first()).toHaveText('worker-051')
  await button(page, 'prev').click()
  await expect(names(page).first()).toHaveText('worker-026')
})

test('a list is sorted by name, both ways and back', async ({ page, enter }) => {
  await enter(list)
  const header = page.getByRole('columnheader', { name: 'name' })
  await button(header, 'name').click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(names(page).first()).toHaveText('worker-001')
  await button(header, 'name').click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect(names(page).first()).toHaveText('worker-064')
  await expectPath(page, `${list}?sort=name_descending`)
  await button(page, 'next').click()
  await expect(names(page).last()).toHaveText('worker-001')
  await button(header, 'name').click()
  await expect(header).not.toHaveAttribute('aria-sort')
  await expect(heading(page, 'Instances')).toBeVisible()
})

test('a row is found while one types, on whichever page it is', async ({ page, enter }) => {
  await enter(list)
  const box = page.getByRole('searchbox', { name: 'Search instances' })
  const six = ['worker-006', ...[0, 1, 2, 3, 4].map((n) => `worker-06${n}`)]
  await box.pressSequentially('06', { delay: 40 })
  await expect(names(page)).toHaveText(six)
  await expect(page.getByRole('status').filter({ hasText: '6 of 64 match' })).toBeVisible()
  await expectPath(page, `${list}?find=06`)
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('06')
  await page.reload()
  await expect(names(page)).toHaveText(six)
  const header = page.getByRole('columnheader', { name: 'name' })
  await button(header, 'name').click()
  await button(header, 'name').click()
  await expect(names(page)).toHaveText(six.toReversed())

  await box.fill('nobody')
  await expect(page.getByText('Nothing in this list contains ‘nobody’.')).toBeVisible()
  await button(page, 'Clear search').click()
  await expect(rows(page)).toHaveCount(50)
  await expect(box).toHaveValue('')
  await box.fill('stopped')
  await expect(page.getByRole('status').filter({ hasText: /of 64 match/ })).toBeVisible()
  await box.press('Escape')
  await expect(names(page).first()).toHaveText('worker-064')
})

test('a list of a few rows needs no search', async ({ page, enter }) => {
  await enter('/projects/storefront/instances')
  await expect(page.getByRole('link', { name: 'shop-a', exact: true })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})
