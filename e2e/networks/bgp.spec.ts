import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectToast,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const bgp = '/system/networking/bgp'

// Changes of switches wait together until they are kept.
test.use({ siteOf: 'bgp' })

test('an operator announces a network and takes it back', async ({ page, enter, troubles }) => {
  const set = unique('announced')
  const config = unique('border')
  const sets = page.getByRole('table', { name: 'Announce sets' })
  await enter(bgp, 'tariq-aziz')
  await button(page, 'New announce set').click()
  const form = dialog(page, 'Create announce set')
  await textbox(form, 'Name').fill(set)
  await button(form, 'Add network').click()
  const adding = dialog(page, 'Add network')
  await pick(page, adding, 'Address lot', /public-v4/)
  await pick(page, adding, 'Block', /203\.0\.113\.0/)
  await textbox(adding, 'Network').fill('203.0.113.128/25')
  await button(adding, 'Add').click()
  await button(form, 'Create').click()
  await expectToast(page, `Announce set ${set} created`)
  await expect(row(sets, set)).toContainText('203.0.113.128/25')

  await button(page, 'New BGP configuration').click()
  const configForm = dialog(page, 'Create BGP configuration')
  await textbox(configForm, 'Name').fill(config)
  await textbox(configForm, 'ASN').fill('64999')
  await pick(page, configForm, 'Announce set', set)
  await button(configForm, 'Create').click()
  await expectToast(page, `BGP configuration ${config} created`)
  await expect(row(page, config)).toContainText('64999')
  await openRowMenu(page, config)
  await menuItem(page, 'Edit').click()
  const editConfig = dialog(page, 'Edit BGP configuration')
  await textbox(editConfig, 'ASN').fill('64998')
  await textbox(editConfig, 'VRF').fill('red')
  await button(editConfig, 'Update').click()
  await button(dialog(page, 'Update BGP configuration?'), 'Apply').click()
  await expectToast(page, `BGP configuration ${config} updated`)
  await expect(row(page, config)).toContainText('64998')

  troubles.allow(/^409 DELETE /)
  await openRowMenu(sets, set)
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete announce set')
  const refused = dialog(page, 'Delete announce set')
  await expect(refused.getByRole('alert')).toContainText('in use')
  await button(refused, 'Cancel').click()
  await openRowMenu(page, config)
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete BGP configuration')
  await expect(row(page, config)).toHaveCount(0)

  await openRowMenu(sets, set)
  await menuItem(page, 'Edit').click()
  const edit = dialog(page, 'Edit announce set')
  await button(edit, 'Remove network 203.0.113.128/25').click()
  await button(edit, 'Update').click()
  await button(dialog(page, 'Update announce set?'), 'Apply').click()
  await expectToast(page, `Announce set ${set} updated`)
  await openRowMenu(sets, set)
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete announce set')
  await expect(row(sets, set)).toHaveCount(0)
})

test('a viewer of the fleet sees BGP and changes nothing', async ({ page, enter }) => {
  await enter(bgp, 'victor-hale')
  await expectDisabled(button(page, 'New announce set'), /requires the admin role on the fleet/)
})
