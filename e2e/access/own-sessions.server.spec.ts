/** The sessions of a person: seen and ended by that person, and the warning before an unused one ends. */
import { button, confirm, dialog, expectToast, heading } from '../support/actions.ts'
import { carry, expect, fillSignIn, newSession, silo, test } from '../support/world.ts'

test.use({ siteOf: 'words' })

test('a person sees where they are signed in, and ends a session elsewhere', async ({
  page,
  site,
  troubles,
}) => {
  troubles.allow(/^401 GET /)
  const elsewhere = await newSession(site.origin, 'rosa-lima')
  const answer = () => fetch(`${site.origin}/v1/me`, { headers: { cookie: `session=${elsewhere}` } })
  expect((await answer()).status).toBe(200)
  await page.goto(`/login/${silo}/local?redirect_uri=/settings/profile`)
  await fillSignIn(page, 'rosa-lima')
  const sessions = page.getByRole('table', { name: 'Sessions' })
  const own = sessions.getByRole('row').filter({ hasText: 'This session' })
  await expect(own).toContainText('Chrome on Linux')
  await expect(own).toContainText('127.0.0.1')
  const other = sessions.getByRole('row').filter({ hasText: /node|undici/ })
  await expect(other).toHaveCount(1)
  await other.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'End session' }).click()
  await expect(dialog(page, 'End session')).toContainText('127.0.0.1')
  await confirm(page, 'End session')
  await expectToast(page, 'Session ended')
  await expect(other).toHaveCount(0)
  expect((await answer()).status).toBe(401)
  await own.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'End session' }).click()
  await expect(dialog(page, 'End session')).toContainText('You are signed out here.')
  await confirm(page, 'End session')
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a person is warned before a session that is not used ends', async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.allow(/^401 /)
  const session = await newSession(site.origin, 'hanna-okafor')
  await carry(context, site, session)
  await page.goto('/settings/ssh-keys')
  await expect(heading(page, 'SSH Keys')).toBeVisible()
  const warning = page.getByRole('alertdialog', { name: 'You will be signed out soon' })
  const minutes = 60_000
  const now = await page.evaluate(() => Date.now())
  await page.clock.setSystemTime(now + 478 * minutes)
  await expect(warning).toContainText(/Your session ends at \d/)
  await button(warning, 'Stay signed in').click()
  await expect(warning).toHaveCount(0)

  await page.clock.setSystemTime(now + 956 * minutes)
  await expect(warning).toBeVisible()
  // The server's own clock has not advanced.
  await fetch(`${site.origin}/v1/logout`, { method: 'POST', headers: { cookie: `session=${session}` } })
  await page.clock.setSystemTime(now + 970 * minutes)
  await expect(heading(page, 'Sign in')).toBeVisible()
})
