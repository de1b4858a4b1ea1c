import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  go,
  heading,
  menuItem,
  openRowMenu,
  properties,
  row,
  undo,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const list = '/system/inventory/sleds'
const operator = 'tariq-aziz'

test('an operator closes a sled for new instances, opens it again, and finds what runs on it', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system/inventory', operator)
  await expectPath(page, list)
  const [first] = (await api.sledList({ query: {} })).items
  const { id = '', baseboard: { serial } = { serial: '' } } = first ?? {}
  await expect(page.getByRole('navigation', { name: 'Sidebar navigation' })).toContainText('Inventory')
  await expect(row(page, serial)).toContainText('Provisionable')
  await fromRow(page, serial, 'Make not provisionable')
  await confirm(page, 'Make sled not provisionable')
  await expectToast(page, `Sled ${serial} is not provisionable`)
  await expect(row(page, serial)).toContainText('Not provisionable')
  await undo(page)
  await expect(row(page, serial)).not.toContainText('Not provisionable')

  const at = { params: { sledId: id } }
  const { items } = await api.sledInstanceList({ ...at, query: {} })
  await row(page, serial).getByRole('link').click()
  await expectPath(page, `${list}/${id}/instances`)
  await expect(heading(page, /^Sled PRS/)).toBeVisible()
  await expect(properties(page)).toContainText(serial)
  for (const { name } of items)
    await expect(page.getByRole('table').getByText(name, { exact: true }).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Host' }).click()
  await expect(page.getByRole('table', { name: 'Links' })).toContainText('100 Gbit/s')
  await page.getByRole('tab', { name: 'Disks' }).click()
  const [disk] = (await api.sledPhysicalDiskList({ ...at, query: {} })).items
  await row(page, disk?.serial ?? '')
    .getByRole('link')
    .click()
  await expect(heading(page, /^Physical disk /)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Instances on its sled' })).toBeVisible()
  await properties(page).getByRole('link', { name: serial }).click()
  await expectPath(page, `${list}/${id}/instances`)
})

test('an operator looks at the ports of a switch; a viewer of the fleet changes nothing', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^400 GET .*no-such-sled/)
  await enter('/system/inventory/switches', 'victor-hale')
  const first = page.getByRole('table', { name: 'Switches' }).getByRole('row').filter({ hasText: 'switch0' })
  await first.getByRole('link').first().click()
  await page.getByRole('link', { name: 'qsfp0' }).click()
  await expect(heading(page, 'Port qsfp0')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Properties table' }).last()).toContainText('mW')
  await button(page, 'Port actions').click()
  await expectDisabled(menuItem(page, 'Clear settings'), /requires the admin role on the fleet/)
  await page.keyboard.press('Escape')
  await go(page, list)
  await openRowMenu(page, 'PRS26140017')
  await expectDisabled(menuItem(page, 'Make not provisionable'), /requires the admin role on the fleet/)
  await page.keyboard.press('Escape')
  await go(page, `${list}/no-such-sled/instances`)
  await expect(page.getByText('Page not found')).toBeVisible()
})

test('an operator lists the disks that fail, and finds one by its serial number', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system/inventory/disks', 'victor-hale')
  const [disk] = (await api.physicalDiskList({ query: { filter: ['health:failing'] } })).items
  const serial = disk?.serial ?? ''
  await page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button', { name: /^failing/ })
    .click()
  await expect(page).toHaveURL(/filter=health(:|%3A)failing/)
  const rows = page.getByRole('table', { name: 'Disks' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText(serial)
  await page.keyboard.press('ControlOrMeta+k')
  const palette = dialog(page, 'Quick actions')
  await palette.getByRole('combobox', { name: 'Search' }).fill(serial.toLowerCase())
  await palette.getByRole('option', { name: serial }).click()
  await expect(heading(page, `Physical disk ${serial}`)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toContainText(serial)
})
