import { button, expectPath, heading, holdBack, row } from './support/actions.ts'
import { expect, test } from './support/world.ts'

test('a failed first load shows a screen with a retry', async ({ page, troubles }) => {
  troubles.allow(/chaos: refused with|^(403|404|500) GET/, /no route has loaded/)
  await page.goto('/projects?latency=0&chaos=100')
  const screen = heading(page, 'Something went wrong')
    .or(heading(page, 'Page not found'))
    .or(heading(page, 'Sign in'))
  await expect(screen).toBeVisible()
  await expect(page.locator('body')).not.toContainText('Invariant')
})

test('the frame is there before the database has come, which the build has filled', async ({ page }) => {
  const letGo = await holdBack(page, /\/preview\.sqlite$/)
  const asked = page.waitForRequest(/\/preview\.sqlite$/)
  await page.goto('/projects?latency=0', { waitUntil: 'commit' })
  await asked
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  letGo()
  await expect(row(page, 'storefront')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
})

test('the preview explains what it is', async ({ page, enter }) => {
  await enter('/projects')
  await expect(page.getByText('This is a technical preview.')).toBeVisible()
  await button(page, 'Learn more').click()
  const about = page.getByRole('dialog', { name: 'About this preview' })
  await expect(about).toContainText('mock API inside your browser')
  await expect(about.getByRole('link')).toHaveCount(3)
  await page.keyboard.press('Escape')
  await button(page, 'Close').click()
  await expect(page.getByText('This is a technical preview.')).toBeHidden()
})

test('an address without a session leads to sign-in in the preview too', async ({ page }) => {
  await page.goto('/login?latency=0')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expectPath(page, '/login/engineering/local')
})
