import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  heading,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, fillSignIn, silo, test } from '../support/world.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g hanna@notebook'

test('a person adds, views and deletes an SSH key', async ({ page, enter }) => {
  const name = unique('notebook')
  await enter('/projects')
  await button(page, 'User menu: hanna-okafor').click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(heading(page, 'Profile')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'SSH Keys' })
    .click()
  await page.getByRole('link', { name: 'Add SSH key', exact: true }).click()
  await expect(page).toHaveTitle('New SSH key / SSH Keys / Settings / Purlin')
  const add = dialog(page, 'Add SSH key')
  await textbox(add, 'Name').fill(name)
  await textbox(add, 'Description').fill('On the road')
  await button(add, 'Add SSH key').click()
  await expect(add.getByText('Public key is required')).toBeVisible()
  await textbox(add, 'Public key').fill('-----BEGIN OPENSSH PRIVATE KEY-----')
  await expect(add.getByText(/This is a private key/)).toBeVisible()
  await textbox(add, 'Public key').fill(key)
  await button(add, 'Add SSH key').click()
  await expectToast(page, `SSH key ${name} created`)
  await expectPath(page, '/settings/ssh-keys')
  await expect(row(page, name)).toContainText('On the road')

  await page.getByRole('link', { name, exact: true }).click()
  const view = dialog(page, 'View SSH key')
  await expect(view).toContainText('SHA256:')
  await expect(textbox(view, 'Public key')).toHaveValue(key)
  await expect(view).toContainText('On the road')
  await expect(textbox(view, 'Public key')).not.toBeEditable()
  await expect(view.getByRole('textbox'), 'what cannot be changed is no field').toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(view).toBeHidden()
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete SSH key')
  await expectToast(page, `SSH key ${name} deleted`)
  await expect(row(page, name)).toHaveCount(0)
})

test('the profile shows the user, the silo and the groups', async ({ page, enter }) => {
  await enter('/settings/profile')
  const properties = page.getByRole('group', { name: 'Properties table' })
  await expect(properties).toContainText('hanna-okafor')
  await expect(properties).toContainText(silo)
  await expect(properties).toContainText('silo.admin')
  await expect(row(page, 'on-call')).toBeVisible()
  await expect(row(page, 'platform-team')).toBeVisible()
})

test('a user without groups and roles sees that on the profile', async ({ page, enter }) => {
  await enter('/settings/profile', 'sofia-reyes')
  await expect(page.getByText('No groups', { exact: true })).toBeVisible()
  await expect(page.getByText('None. You may have roles on individual projects')).toBeVisible()
})

test('an administrator makes a local user, who replaces the password', async ({
  page,
  enter,
  browser,
  site,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/me\/password/)
  const name = unique('nadia')
  await enter('/access/users')
  await button(page, 'New user').click()
  const create = dialog(page, 'New user')
  await textbox(create, 'Name').fill(name)
  await create.getByLabel('Password').fill('a first password')
  await button(create, 'Create user').click()
  await expectToast(page, 'User created')

  const own = await (await browser.newContext({ baseURL: site.origin })).newPage()
  await own.goto(`/login/${silo}/local?redirect_uri=${encodeURIComponent('/settings/profile')}`)
  await fillSignIn(own, name, 'a first password')
  await expect(heading(own, 'Profile')).toBeVisible()
  await own.getByRole('link', { name: 'Change password' }).click()
  const submit = button(own, 'Change password')
  const fill = async (label: string, text: string) => own.getByLabel(label, { exact: true }).fill(text)
  const fillNew = async (text: string) => {
    await fill('New password', text)
    await fill('Repeat new password', text)
  }
  await fill('Current password', 'not this one')
  await fill('New password', 'short')
  await submit.click()
  await expect(own.getByText(/^A password must have/).first()).toBeVisible()
  await fillNew(`it is ${name}`)
  await expect(own.getByText('A password must not contain the name').first()).toBeVisible()
  await fill('New password', 'a second password')
  await submit.click()
  await expect(own.getByText('This is not the same password').first()).toBeVisible()
  await fillNew('Password1234')
  await submit.click()
  await expect(own.getByText(/one of the common passwords/).first()).toBeVisible()
  await fillNew('a second password')
  await submit.click()
  await expect(own.getByText(/not the current password/).first()).toBeVisible()
  await fill('Current password', 'a first password')
  await submit.click()
  // Passwords are costly to hash.
  await expect(own.getByTestId('Toasts')).toContainText('Password changed')
  await expectPath(own, '/settings/profile')
  // The session in which it was changed does not end.
  await own.reload()
  await expect(heading(own, 'Profile')).toBeVisible()
  // Without a session the page would leave by itself, at the same time.
  await own.goto('about:blank')
  await own.context().clearCookies()
  await own.goto(`/login/${silo}/local?redirect_uri=${encodeURIComponent('/settings/profile')}`)
  await fillSignIn(own, name, 'a second password')
  await expect(heading(own, 'Profile')).toBeVisible()
  await own.context().close()

  await fromRow(page, name, 'Remove second factors')
  await confirm(page, 'Remove second factors')
  await expectToast(page, 'Second factors removed')
  await fromRow(page, name, 'Deactivate')
  await confirm(page, 'Deactivate user')
  await expect(row(page, name)).toContainText('deactivated')
  await fromRow(page, name, 'Activate')
  await expectToast(page, 'User activated')
  await expect(row(page, name)).not.toContainText('deactivated')

  await fromRow(page, name, 'Set password')
  await dialog(page, 'Set password').getByLabel('Password').fill('a third password')
  await button(dialog(page, 'Set password'), 'Set password').click()
  await expect(dialog(page, 'Set password')).toBeHidden()
  await fromRow(page, name, 'Delete')
  await confirm(page, /^Delete/)
  await expect(row(page, name)).toHaveCount(0)
})
