import {
  button,
  confirm,
  dialog,
  expectToast,
  menuItem,
  openRowMenu,
  row,
  textbox,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('an operator watches a peer by BFD and stops it', async ({ page, enter }) => {
  await enter('/system/networking/bfd', 'tariq-aziz')
  await button(page, 'New BFD session').click()
  const form = dialog(page, 'Create BFD session')
  await textbox(form, 'Peer').fill('198.51.100.77')
  await button(form, 'Create').click()
  await expectToast(page, 'BFD session 198.51.100.77 created')
  await expect(row(page, '198.51.100.77')).toContainText('switch0')
  await openRowMenu(page, '198.51.100.77')
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete BFD session')
  await expect(row(page, '198.51.100.77')).toHaveCount(0)
})
