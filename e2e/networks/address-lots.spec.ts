import {
  button,
  confirm,
  dialog,
  expectDisabled,
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

const lots = '/system/networking/address-lots'

test('an operator makes an address lot, adds a block to it, and deletes it', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 POST \/v1\/system\/networking\/address-lot/)
  const name = unique('lot')
  await enter(lots, 'tariq-aziz')
  await page.getByRole('link', { name: 'New address lot' }).click()
  const form = dialog(page, 'Create address lot')
  await textbox(form, 'Name').fill(name)
  await form.getByRole('radio', { name: /^Pool/ }).check()
  await button(form, 'Add block').click()
  const adding = dialog(page, 'Add block')
  await textbox(adding, 'First address').fill('198.18.7.9')
  await textbox(adding, 'Last address').fill('198.18.7.1')
  await button(adding, 'Add').click()
  await expect(adding).toContainText('must not be lower')
  await textbox(adding, 'First address').fill('198.18.7.1')
  await textbox(adding, 'Last address').fill('198.18.7.9')
  await button(adding, 'Add').click()
  await button(form, 'Create address lot').click()
  await expectToast(page, `Address lot ${name} created`)

  await row(page, name).getByRole('link').click()
  await expect(heading(page, name)).toBeVisible()
  const blocks = page.getByRole('table', { name: 'Blocks' })
  await expect(blocks.getByRole('row').filter({ hasText: '198.18.7.1' })).toContainText('9')
  await button(page, 'Add block').click()
  await textbox(adding, 'First address').fill('198.18.7.5')
  await textbox(adding, 'Last address').fill('198.18.8.5')
  await button(adding, 'Add').click()
  await expect(adding.getByRole('alert')).toContainText('overlap')
  await textbox(adding, 'First address').fill('198.18.8.5')
  await button(adding, 'Add').click()
  await expect(blocks.getByRole('row')).toHaveCount(3)

  await button(page, 'Address lot actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete address lot')
  await expectPath(page, lots)
  await expect(row(page, name)).toHaveCount(0)
})

test('a viewer of the fleet sees lots and changes none', async ({ page, enter }) => {
  await enter(lots, 'victor-hale')
  await openRowMenu(page, 'public-v4')
  await expectDisabled(menuItem(page, 'Delete'), /requires the admin role on the fleet/)
})
