import {
  button,
  confirm,
  dialog,
  expectToast,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('an operator gives a switch a loopback address and takes it away', async ({ page, enter, troubles }) => {
  troubles.allow(/^400 POST \/v1\/system\/networking\/loopback-address/)
  await enter('/system/networking/loopback-addresses', 'tariq-aziz')
  await page.getByRole('link', { name: 'New loopback address' }).click()
  const form = dialog(page, 'Create loopback address')
  await pick(page, form, 'Address lot', /rack-infrastructure/)
  await textbox(form, 'Address').fill('198.51.100.1')
  await button(form, 'Create loopback address').click()
  await expect(form.getByRole('alert')).toContainText('Address not in lot')
  await textbox(form, 'Address').fill('192.0.2.9')
  await button(form, 'Create loopback address').click()
  await expectToast(page, 'Loopback address 192.0.2.9/32 created')
  await openRowMenu(page, '192.0.2.9/32')
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete loopback address')
  await expect(row(page, '192.0.2.9/32')).toHaveCount(0)
})
