import type { Page } from '@playwright/test'
import { button, heading } from './support/actions.ts'
import { expect, test } from './support/world.ts'

const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset['theme'])

async function choose(page: Page, choice: string) {
  await button(page, 'User menu: hanna-okafor').click()
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click()
}

test('a chosen theme stays after a reload and is there before the first paint', async ({ page, enter }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await enter('/projects')
  expect(await theme(page)).toBe('light')
  await choose(page, 'Dark')
  expect(await theme(page)).toBe('dark')
  // The root's theme at the moment the body is parsed, before the app's own code runs.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.body) return
      watch.disconnect()
      Object.assign(window, { themeAtFirst: document.documentElement.dataset['theme'] })
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(heading(page, 'Projects')).toBeVisible()
  expect(await page.evaluate(() => (window as { themeAtFirst?: string }).themeAtFirst)).toBe('dark')
  await button(page, 'User menu: hanna-okafor').click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
})

test('the system theme follows the operating system immediately', async ({ page, enter }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await enter('/projects')
  expect(await theme(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => theme(page)).toBe('light')
  await choose(page, 'Dark')
  await choose(page, 'System')
  await expect.poll(() => theme(page)).toBe('light')
})

test('compact tables stay compact after a reload, and their controls large enough', async ({
  page,
  enter,
}) => {
  await enter('/projects/storefront/instances')
  const cells = page.getByRole('row', { name: /shop-a/ })
  const heightOf = async () => (await cells.boundingBox())?.height ?? 0
  const comfortable = await heightOf()
  await choose(page, 'Compact')
  await expect.poll(heightOf).toBeLessThan(comfortable)
  await page.reload()
  await expect(cells).toBeVisible()
  expect(await heightOf()).toBeLessThan(comfortable)
  const controls = cells.locator('button, label')
  expect(await controls.count()).toBeGreaterThan(1)
  for (const control of await controls.all()) {
    const { width, height } = (await control.boundingBox()) ?? { width: 0, height: 0 }
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  }
})

test('times are shown in UTC where that is chosen', async ({ page, enter }) => {
  await enter('/settings/ssh-keys')
  const time = page.getByRole('row', { name: /workstation/ }).locator('time')
  await choose(page, 'UTC')
  const iso = (await time.getAttribute('datetime')) ?? ''
  const shown = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(iso),
  )
  await expect(time).toContainText(shown)
})
