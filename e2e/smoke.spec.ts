/** The short set that runs in Firefox: what a browser can do differently, once each. */
import type { Locator, Page } from '@playwright/test'
import {
  button,
  confirm,
  dialog,
  expectToast,
  fromRow,
  heading,
  menuItem,
  options,
  row,
  textbox,
  unique,
} from './support/actions.ts'
import { expect, silo, test } from './support/world.ts'

const cpu = '/projects/telemetry/instances/collector-01/metrics/cpu'
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])
const ink = (page: Page) => page.evaluate(() => getComputedStyle(document.body).color)

/** Types with keys: over WebDriver BiDi, Playwright's `fill` sets a value without an event for React. */
async function type(box: Locator, text: string): Promise<void> {
  await box.focus()
  await box.press('ControlOrMeta+a')
  await box.pressSequentially(text)
  await expect(box).toHaveValue(text)
}

test('a person signs in, makes a disk, deletes it and signs out', async ({ page }) => {
  await page.goto(`/login/${silo}/local?latency=0`)
  await type(textbox(page, 'Username'), 'hanna-okafor')
  await type(textbox(page, 'Password'), 'drafting-table')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.getByRole('link', { name: 'storefront', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Disks' })
    .click()
  await expect(row(page, 'shop-a-boot')).toContainText('attached')

  const name = unique('smoke')
  await page.getByRole('link', { name: 'New disk' }).click()
  const create = dialog(page, 'Create disk')
  await expect(textbox(create, 'Name')).toBeFocused()
  await type(textbox(create, 'Name'), name)
  await type(textbox(create, 'Size (GiB)'), '3')
  await button(create, 'Create disk').click()
  await expectToast(page, `Disk ${name} created`)
  await expect(row(page, name)).toContainText('3 GiB')
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete disk')
  await expectToast(page, `Disk ${name} deleted`)
  await expect(row(page, name)).toHaveCount(0)

  await button(page, 'User menu: hanna-okafor').click()
  await menuItem(page, 'Sign out').click()
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a menu and its dialog are walked with the keyboard, and the focus comes back', async ({
  page,
  enter,
}) => {
  await enter('/projects/telemetry/disks')
  const opener = button(row(page, 'spare'), 'Row actions')
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(menuItem(page, 'Copy ID')).toBeFocused()
  await page.keyboard.press('End')
  await expect(menuItem(page, 'Delete')).toBeFocused()
  await page.keyboard.press('Enter')
  const question = dialog(page, 'Delete disk')
  await expect(question).toBeVisible()
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press('Tab')
    expect(await question.evaluate((box) => box.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(opener).toBeFocused()
})

test('a combobox is searched and chosen from with the keyboard', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances-new')
  const box = page.getByRole('combobox', { name: 'Image', exact: true })
  await box.focus()
  await box.pressSequentially('rocky')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('rocky-10')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(box).toBeFocused()
})

test('charts are drawn for a range of time that is chosen or set by hand', async ({ page, enter }) => {
  const range = () => new URL(page.url()).searchParams
  await enter(cpu)
  await expect(page.getByRole('slider', { name: 'CPU Utilization: Running: points' })).toBeVisible()
  await page.getByRole('button', { name: /Choose a time range preset/ }).click()
  await options(page).filter({ hasText: 'Last 3 hours' }).click()
  await expect.poll(() => range().get('range')).toBe('3h')
  await page.getByRole('button', { name: / – / }).click()
  const fields = dialog(page, 'Time range')
  // From the month to the year, and one year back.
  await fields.getByText('Start time').click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => range().get('start')?.slice(0, 4)).toBe(String(new Date().getFullYear() - 1))
  await page.keyboard.press('Escape')
  await expect(fields).toBeHidden()
})

test('the dark theme is chosen and stays', async ({ page, enter }) => {
  await enter('/projects')
  const choose = async (name: string) => {
    await button(page, 'User menu: hanna-okafor').click()
    await page.getByRole('menuitemradio', { name, exact: true }).click()
    await expect.poll(() => theme(page)).toBe(name.toLowerCase())
  }
  await choose('Light')
  const light = await ink(page)
  await choose('Dark')
  expect(await ink(page)).not.toBe(light)
  await page.reload()
  await expect(heading(page, 'Projects')).toBeVisible()
  expect(await theme(page)).toBe('dark')
})
