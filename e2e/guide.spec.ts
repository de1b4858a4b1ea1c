import { heading } from './support/actions.ts'
import { expect, test } from './support/world.ts'

test('a person finds a page of the guide by its words, and comes back to the console', async ({ page }) => {
  await page.goto('/docs')
  await page.keyboard.press('/')
  await page.keyboard.type('attach a disk')
  await expect(page.getByRole('link', { name: 'Attach a disk Disks and snapshots' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/disks#attach-a-disk$/)
  await expect(page.getByRole('heading', { name: 'Attach a disk', exact: true })).toBeInViewport()
  await page.getByRole('link', { name: 'Back to console' }).click()
  await expect(page).not.toHaveURL(/\/docs/)
})

test('the menu of the guide opens on a narrow window, and the theme is that of the console', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/docs/limits')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Guide' }).getByRole('link', { name: 'Images' }).click()
  await expect(heading(page, 'Images')).toBeVisible()
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  await page.goto('/login/engineering/local')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
