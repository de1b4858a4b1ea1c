import { randomUUID } from 'node:crypto'
import { button, confirm, dialog, expectPath, fromRow, go, heading } from './support/actions.ts'
import { expect, silo, test } from './support/world.ts'

test('an address that does not exist leads to a page that says so, and back', async ({ page, enter }) => {
  await enter('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await go(page, '/no/such/page')
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expect(
    page.getByText("The page you are looking for doesn't exist or you may not have access to it."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Back to console' }).click()
  await expect(heading(page, 'Projects')).toBeVisible()
})

test('a page of a missing resource is not found', async ({ page, enter, troubles }) => {
  troubles.allow(/^404 GET /, /^ApiError: not found/)
  await enter('/projects')
  for (const path of ['/projects/no-such/instances', '/projects/telemetry/instances/no-such/storage'])
    await test.step(path, async () => {
      await go(page, path)
      await expect(heading(page, 'Page not found')).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 }), 'nothing else is shown').toHaveCount(1)
      await expect(page.getByRole('main')).toHaveCount(1)
      await page.getByRole('link', { name: 'Back to console' }).click()
      await expect(heading(page, 'Projects')).toBeVisible()
    })
})

test('an id alone leads to its instance; a name, nothing, or another id leads nowhere', async ({
  page,
  enter,
  api,
  troubles,
}) => {
  troubles.allow(/^404 GET /)
  await enter('/projects')
  const { id } = await api.instanceView({ params: { instance: 'shop-a' }, query: { project: 'storefront' } })
  for (const lookup of ['/lookup/instances', '/lookup/i']) {
    await test.step(`${lookup} with the id`, async () => {
      await go(page, `${lookup}/${id}`)
      await expectPath(page, '/projects/storefront/instances/shop-a/storage')
      await expect(heading(page, 'shop-a')).toBeVisible()
    })
    for (const path of [`${lookup}/shop-a`, `${lookup}/`, `${lookup}/${randomUUID()}`])
      await test.step(path, async () => {
        await go(page, path)
        await expect(heading(page, 'Page not found')).toBeVisible()
      })
  }
})

test('a panel of a missing resource shows an error and keeps the list', async ({ page, enter, troubles }) => {
  troubles.allow(/^404 GET /, /^ApiError: not found/)
  await enter('/projects')
  const panels = {
    '/projects/telemetry/disks/no-such': '/projects/telemetry/disks',
    '/settings/ssh-keys/no-such/edit': '/settings/ssh-keys',
  }
  for (const [path, list] of Object.entries(panels))
    await test.step(path, async () => {
      await go(page, path)
      const panel = dialog(page, 'Page not found')
      await expect(panel).toBeVisible()
      await panel.getByRole('button', { name: 'Close' }).last().click()
      await expectPath(page, list)
      await expect(panel).toBeHidden()
    })
})

test('one can sign out from an error screen', async ({ page, enter, troubles, sessions }) => {
  troubles.allow(/^404 GET /, /^ApiError: not found/)
  await enter('/projects/no-such')
  // This test ends its session, so it has a separate one.
  sessions.delete('hanna-okafor')
  await button(page, 'Sign out').click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expectPath(page, `/login/${silo}/local`)
})

test('signing in to a missing silo shows an error', async ({ page, troubles }) => {
  troubles.allow(/^404 POST \/v1\/login/, /^401 POST \/v1\/login/)
  await page.goto('/login/no-such-silo/local?latency=0')
  await page.getByRole('textbox', { name: 'Username' }).fill('hanna-okafor')
  await page.getByRole('textbox', { name: 'Password' }).fill('drafting-table')
  await button(page, 'Sign in').click()
  await expect(
    page.getByRole('alert').filter({ hasText: /silo does not exist|Could not sign in/ }),
  ).toBeVisible()
})

test('a toast has at most three lines, whatever there is to say, and the activity has it in full', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 (PUT|DELETE)/)
  await enter('/projects/telemetry/disks')
  const message = `${'It is used by another resource. '.repeat(200)}The end.`
  await page.route(/\/v1\/disks\//, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      body: JSON.stringify({ request_id: randomUUID(), error_code: 'InvalidRequest', message }),
    }),
  )
  await fromRow(page, 'spare', 'Delete')
  await confirm(page, 'Delete disk')
  const toasts = page.getByTestId('Toasts')
  const refused = page.getByRole('alertdialog', { name: 'Delete disk' })
  await expect(refused.getByRole('alert')).toContainText(
    'Could not delete disk: It is used by another resource.',
  )
  await expect(button(refused, 'Delete disk'), 'the button stays in sight').toBeInViewport()
  await expect(toasts, 'what a dialog says is not said again').not.toContainText('Could not delete disk')
  await page.keyboard.press('Escape')
  await fromRow(page, 'spare', 'Protect')
  await expect(toasts).toContainText('Could not protect disk')
  const height = await toasts.evaluate((box) => box.getBoundingClientRect().height)
  const line = 20
  expect(height).toBeLessThan(3 * line + 4 * line)
  await page.keyboard.press('Escape')
  await button(toasts, 'Show activity').click()
  await expect(dialog(page, 'Activity').getByRole('region', { name: 'Failures on this page' })).toContainText(
    'The end.',
  )
})
