import { button, expectPath, expectToast, go, heading, textbox } from '../support/actions.ts'
import { expect, fillSignIn, silo, test } from '../support/world.ts'

const login = `/login/${silo}/local`

test('a person signs in and lands on the projects', async ({ page }) => {
  await page.goto(`${login}?latency=0`)
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expect(page.getByRole('img', { name: 'A populated rack' })).toBeVisible()
  await expect(textbox(page, 'Username')).toBeFocused()
  await fillSignIn(page, 'hanna-okafor')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expectPath(page, '/projects')
  await expectToast(page, 'Logged in')
})

test('a wrong password and an unknown user get the same answer', async ({ page, troubles }) => {
  troubles.allow(/^401 POST \/v1\/login/)
  await page.goto(`${login}?latency=0`)
  const alert = page.getByRole('alert').filter({ hasText: 'Could not sign in. Please try again.' })
  await fillSignIn(page, 'hanna-okafor', 'blueprint')
  await expect(alert).toBeVisible()
  await expect(textbox(page, 'Username')).toHaveValue('hanna-okafor')
  await fillSignIn(page, 'unknown')
  await expect(alert).toBeVisible()
  await expectPath(page, login)
})

test('both fields must be filled before anything is sent', async ({ page }) => {
  await page.goto(`${login}?latency=0`)
  await button(page, 'Sign in').click()
  await expect(page.getByText('Username is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
})

test('sign-in leads back to the requested page, and Enter sends the form', async ({ page }) => {
  const target = '/projects/telemetry/instances?sort=name_descending'
  await page.goto(`${login}?latency=0&redirect_uri=${encodeURIComponent(target)}`)
  await textbox(page, 'Username').fill('hanna-okafor')
  await textbox(page, 'Password').fill('drafting-table')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Instances')).toBeVisible()
  await expectPath(page, target)
})

test('sign-in never leads to another site', async ({ page }) => {
  for (const target of ['https://elsewhere.example/', '//elsewhere.example/', '/\\elsewhere.example/'])
    await test.step(target, async () => {
      await page.goto(`${login}?latency=0&redirect_uri=${encodeURIComponent(target)}`)
      await fillSignIn(page, 'hanna-okafor')
      await expect(heading(page, 'Projects')).toBeVisible()
      await expectPath(page, '/projects')
    })
})

test('signing out leads to sign-in without a way back, and a protected page then needs a sign-in', async ({
  page,
  kind,
  troubles,
}) => {
  troubles.allow(/^401 GET /)
  await page.goto(`${login}?latency=0`)
  await fillSignIn(page, 'mei-tanaka')
  await expect(heading(page, 'Projects')).toBeVisible()
  await button(page, 'User menu: mei-tanaka').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expectPath(page, login)
  if (kind === 'server') await page.goto('/projects/telemetry/disks')
  else await go(page, '/projects/telemetry/disks')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expectPath(page, `${login}?redirect_uri=%2Fprojects%2Ftelemetry%2Fdisks`)
})
