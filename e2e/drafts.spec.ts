/** Create forms that were left or whose tab was closed, and their drafts. */
import type { Page } from '@playwright/test'
import { button, dialog, expectPath, go, heading, textbox } from './support/actions.ts'
import { makeImage, openIn } from './support/prepare.ts'
import { carry, expect, newSession, test } from './support/world.ts'

const offer = (page: Page) => page.getByText('You have a draft of this form')
/** All that the browser keeps. */
const kept = (page: Page) => page.evaluate(() => Object.values(window.localStorage).join('\n'))

test('a form whose tab was closed is offered again, and filled only on demand', async ({ page, enter }) => {
  await enter('/projects-new')
  await textbox(page, 'Name').fill('half-done')
  await textbox(page, 'Description').fill('of yesterday')
  await expect.poll(() => kept(page)).toContain('of yesterday')
  await page.goto('about:blank')
  await enter('/projects-new')
  await expect(offer(page)).toBeVisible()
  await expect(page.getByText(/You left it \d+ seconds? ago\./)).toBeVisible()
  await expect(textbox(page, 'Name')).toHaveValue('')
  await button(page, 'Continue draft').click()
  await expect(textbox(page, 'Name')).toHaveValue('half-done')
  await expect(textbox(page, 'Name')).toBeFocused()
  await expect(textbox(page, 'Description')).toHaveValue('of yesterday')
  await expect(offer(page)).toBeHidden()
})

test('a form that is left says that a draft stays, which is offered in its place only', async ({
  page,
  own,
}) => {
  const project = await own('drafts')
  await openIn(page, project, 'vpcs-new')
  await textbox(page, 'Name').fill('inner')
  await page.keyboard.press('Escape')
  const question = dialog(page, 'Confirm navigation')
  await expect(question.getByText(/A draft stays in this browser until you sign out/)).toBeVisible()
  await button(question, 'Leave form').click()
  await expect(heading(page, 'VPCs')).toBeVisible()
  await go(page, '/projects/storefront/vpcs-new')
  await expect(dialog(page, 'Create VPC')).toBeVisible()
  await go(page, `/projects/${project}/vpcs-new`)
  await expect(offer(page)).toBeVisible()
  await textbox(page, 'Name').fill('other')
  await expect(page.getByText('Continuing it replaces what you have entered now.')).toBeVisible()
  await button(page, 'Discard').click()
  await expect(offer(page)).toBeHidden()
  await expect(textbox(page, 'Name')).toHaveValue('other')
  await textbox(page, 'DNS name').fill('other')
  await button(page, 'Create VPC').click()
  await expect(page.getByText('VPC other created')).toBeVisible()
  await expect.poll(() => kept(page)).not.toContain('"form"')
  await openIn(page, project, 'vpcs-new')
  await expect(dialog(page, 'Create VPC')).toBeVisible()
  await expect(offer(page)).toBeHidden()
})

test('a draft with an image that is gone by now shows the error of the form', async ({
  page,
  api,
  own,
  troubles,
}) => {
  troubles.allow(/^404 (GET|POST) /)
  const project = await own('drafts')
  const image = await makeImage(api, project, 'short-lived')
  await openIn(page, project, 'disks-new')
  await textbox(page, 'Name').fill('copy')
  await page.getByRole('radio', { name: /^Image/ }).check({ force: true })
  await page.getByRole('combobox', { name: 'Source image' }).fill('short')
  await page.getByRole('option', { name: /short-lived/ }).click()
  await expect.poll(() => kept(page)).toContain(image)
  await api.imageDelete({ params: { image }, query: {} })
  await page.keyboard.press('Escape')
  await button(page, 'Leave form').click()
  await expect(heading(page, 'Disks')).toBeVisible()
  await openIn(page, project, 'disks-new')
  await button(page, 'Continue draft').click()
  await expect(textbox(page, 'Name')).toHaveValue('copy')
  await button(page, 'Create disk').click()
  await expect(
    page
      .getByText(/image/i)
      .and(page.getByText(/not found|no longer|does not exist|gone/i))
      .first(),
  ).toBeVisible()
})

test('user data, secrets and files are not kept, and the notice names them', async ({ page, own }) => {
  const project = await own('drafts')
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('machine')
  await button(page, 'Advanced').click()
  await textbox(page, 'User data').fill('#cloud-config\npassword: hidden-text\n')
  await expect.poll(() => kept(page)).toContain('machine')
  expect(await kept(page)).not.toMatch(/hidden-text|cloud-config/)
  await button(page, 'Cancel').click()
  await button(page, 'Leave this page').click()
  await expect(heading(page, 'Instances')).toBeVisible()
  expect(await kept(page)).not.toMatch(/hidden-text|cloud-config/)
  await openIn(page, project, 'instances-new')
  await expect(page.getByText('Files and what may be secret are not kept: user data.')).toBeVisible()
  await button(page, 'Continue draft').click()
  await expect(textbox(page, 'Name')).toHaveValue('machine')
  await expect(page.getByText('The draft is filled in')).toBeVisible()
})

test('the secret of a receiver is not kept', async ({ page, enter }) => {
  await enter('/system/alerts/receivers-new', 'tariq-aziz')
  await textbox(page, 'Name').fill('machine')
  await textbox(page, 'Endpoint').fill('https://alerts.example.org/hidden-text')
  await textbox(page, 'Secret').fill('hidden-text')
  await expect.poll(() => kept(page)).toContain('machine')
  expect(await kept(page)).not.toContain('hidden-text')
})

test('signing out forgets drafts', async ({ page, context, site, troubles }) => {
  troubles.allow(/^401 /)
  // Other journeys go on with the session that they share.
  await carry(context, site, await newSession(site.origin, 'mei-tanaka'))
  await page.goto('/projects-new')
  await textbox(page, 'Description').fill('of yesterday')
  await expect.poll(() => kept(page)).toContain('of yesterday')
  await page.keyboard.press('Escape')
  await button(page, 'Leave form').click()
  await expectPath(page, '/projects')
  await button(page, 'User menu: mei-tanaka').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(await kept(page)).not.toContain('of yesterday')
})
