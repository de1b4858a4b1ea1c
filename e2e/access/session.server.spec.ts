import type { Page } from '@playwright/test'
import { button, dialog, expectPath, expectToast, heading, row, textbox, unique } from '../support/actions.ts'
import { carry, expect, fillSignIn, newSession, silo, test } from '../support/world.ts'

/** Ends a session without the page that uses it. */
async function end(origin: string, session: string) {
  const response = await fetch(`${origin}/v1/logout`, {
    method: 'POST',
    headers: { cookie: `session=${session}` },
  })
  expect(response.status).toBe(204)
}

const ended = (page: Page) => dialog(page, 'Your session has ended')

test('without unsaved work an ended session leads to sign-in and back to the same page', async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.allow(/^401 /)
  const session = await newSession(site.origin, 'hanna-okafor')
  await carry(context, site, session)
  await page.goto('/projects/storefront/instances')
  await expect(row(page, 'shop-a')).toBeVisible()
  // A pending read would find out first.
  await page.waitForLoadState('networkidle')
  await end(site.origin, session)
  await button(page, 'Refresh data').click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expectPath(page, `/login/${silo}/local?redirect_uri=%2Fprojects%2Fstorefront%2Finstances`)
  await fillSignIn(page, 'hanna-okafor')
  await expect(row(page, 'shop-a')).toBeVisible()
  await expectPath(page, '/projects/storefront/instances')
})

test('with a filled form one signs in again in place and sends what was entered', async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.allow(/^401 /)
  const name = unique('kept')
  const session = await newSession(site.origin, 'hanna-okafor')
  await carry(context, site, session)
  await page.goto('/projects-new')
  const create = dialog(page, 'Create project')
  await textbox(create, 'Name').fill(name)
  await textbox(create, 'Description').fill('Worth keeping')
  await end(site.origin, session)
  await button(create, 'Create project').click()
  await expect(ended(page)).toContainText('hanna-okafor')
  await textbox(ended(page), 'Password').fill('blueprint')
  await button(ended(page), 'Sign in').click()
  await expect(ended(page).getByRole('alert')).toContainText('Could not sign in')
  await textbox(ended(page), 'Password').fill('drafting-table')
  await button(ended(page), 'Sign in').click()
  await expect(ended(page)).toBeHidden()
  await expect(textbox(create, 'Name')).toHaveValue(name)
  await expect(textbox(create, 'Description')).toHaveValue('Worth keeping')
  await button(create, 'Create project').click()
  await expectToast(page, `Project ${name} created`)
})

test('a protected address without a session leads to sign-in before anything is shown', async ({ page }) => {
  const response = await page.goto('/projects/telemetry/disks?size=25')
  await expect(heading(page, 'Sign in')).toBeVisible()
  const redirect = encodeURIComponent('/projects/telemetry/disks?size=25')
  await expectPath(page, `/login/${silo}/local?redirect_uri=${redirect}`)
  expect(response?.status()).toBe(200)
})

test('after another user has signed in in another tab, a page says so and sends nothing until that is answered', async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.allow(/^409 /)
  const name = unique('whose')
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  await page.goto('/projects-new')
  const create = dialog(page, 'Create project')
  await textbox(create, 'Name').fill(name)
  await carry(context, site, await newSession(site.origin, 'tariq-aziz'))
  await button(create, 'Create project').click()
  const notice = dialog(page, 'Another user has signed in')
  await expect(notice).toContainText('hanna-okafor')
  const written: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && written.push(new URL(request.url()).pathname))
  await page.keyboard.press('Escape')
  await expect(notice).toBeHidden()
  await button(create, 'Create project').click()
  await expect(notice).toBeVisible()
  expect(written).toEqual([])
  await textbox(notice, 'Password').fill('drafting-table')
  await button(notice, 'Sign in').click()
  await expect(notice).toBeHidden()
  await button(create, 'Create project').click()
  await expectToast(page, `Project ${name} created`)
})

test('a session that is renewed in another tab is found without a reload', async ({
  page,
  context,
  site,
  troubles,
}) => {
  troubles.allow(/^401 /)
  const session = await newSession(site.origin, 'hanna-okafor')
  await carry(context, site, session)
  await page.goto('/projects-new')
  const create = dialog(page, 'Create project')
  const name = unique('renewed')
  await textbox(create, 'Name').fill(name)
  await end(site.origin, session)
  await button(create, 'Create project').click()
  await expect(ended(page)).toBeVisible()
  await carry(context, site, await newSession(site.origin, 'hanna-okafor'))
  await expect(ended(page)).toBeHidden()
  await expect(textbox(create, 'Name')).toHaveValue(name)
  const stream = page.waitForRequest(/\/v1\/events\?/)
  await button(create, 'Create project').click()
  await expectToast(page, `Project ${name} created`)
  await stream
})
