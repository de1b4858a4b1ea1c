import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  heading,
  menuItem,
  openRowMenu,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const receivers = '/system/alerts/receivers'

test('an operator makes a receiver by e-mail, reads why its alerts wait, and changes its addresses', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/alert-receivers\/[^/]+\/probe/)
  const name = unique('mail')
  await enter(receivers, 'tariq-aziz')
  await page.getByRole('link', { name: 'New receiver' }).click()
  const form = dialog(page, 'Create alert receiver')
  await textbox(form, 'Name').fill(name)
  await form.getByRole('radio', { name: 'E-mail' }).check()
  await expect(textbox(form, 'Secret')).toHaveCount(0)
  await textbox(form, 'Addresses').fill('ops@example.org\nnight')
  await button(form, 'Create alert receiver').click()
  await expect(form).toContainText('"night" is no address')
  await textbox(form, 'Addresses').fill('ops@example.org\nnight@example.org')
  await button(form, 'Create alert receiver').click()
  await expectToast(page, `Alert receiver ${name} created`)
  await expect(row(page, name)).toContainText('ops@example.org, night@example.org')
  await expect(row(page, name)).toContainText('not set up')

  await row(page, name).getByRole('link').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('This control plane sends no e-mail')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Secrets' })).toHaveCount(0)
  await button(page, 'Receiver actions').click()
  await menuItem(page, 'Send probe').click()
  await expectToast(page, /Could not send a probe/)
  await button(page, 'Receiver actions').click()
  await menuItem(page, 'Edit').click()
  const editing = dialog(page, 'Edit receiver')
  await expect(textbox(editing, 'Addresses')).toHaveValue('ops@example.org\nnight@example.org')
  await textbox(editing, 'Addresses').fill('day@example.org')
  await button(editing, 'Update').click()
  await expectToast(page, `Receiver ${name} updated`)
  await expect(page.getByText('day@example.org')).toBeVisible()
  await button(page, 'Receiver actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete alert receiver')
  await expectPath(page, receivers)
  await expect(row(page, name)).toHaveCount(0)
})

test('a viewer of the fleet sees a receiver by e-mail', async ({ page, enter }) => {
  await enter(receivers, 'victor-hale')
  await expect(row(page, 'operators')).toContainText('operators@purlin.invalid')
  await openRowMenu(page, 'operators')
  await expect(menuItem(page, 'Edit')).toBeDisabled()
})
