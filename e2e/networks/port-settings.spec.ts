import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  go,
  heading,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const list = '/system/networking/port-settings'

// Changes of switches wait together until they are kept.
test.use({ siteOf: 'port settings' })

test('an operator writes port settings, changes them as JSON, and deletes them', async ({
  page,
  enter,
  api,
}) => {
  const name = unique('uplink')
  await enter(list, 'tariq-aziz')
  await page.getByRole('link', { name: 'New port settings' }).click()
  await expect(heading(page, 'Create port settings')).toBeVisible()
  await textbox(page, 'Name').fill(name)
  await expectDisabled(button(page, 'Add address'), 'Add a link first')
  await button(page, 'Add link').click()
  await button(dialog(page, 'Add link'), 'Add').click()
  await button(page, 'Add address').click()
  const address = dialog(page, 'Add address')
  await pick(page, address, 'Address lot', /rack-infrastructure/)
  await textbox(address, 'Address').fill('192.0.2.14/30')
  await button(address, 'Add').click()
  await button(page, 'Add route').click()
  const route = dialog(page, 'Add route')
  await textbox(route, 'Gateway').fill('192.0.2.13')
  await button(route, 'Add').click()
  await button(page, 'Create port settings').click()
  await expectToast(page, `Port settings ${name} created`)
  await expectPath(page, `${list}/${name}`)
  await expect(page.getByRole('table', { name: 'Addresses' })).toContainText('192.0.2.14/30')
  await expect(page.getByRole('table', { name: 'Routes' })).toContainText('192.0.2.13')

  await button(page, 'Port settings actions').click()
  await menuItem(page, 'Apply to a port').click()
  const apply = dialog(page, 'Apply to a port')
  await pick(page, apply, 'Port', 'switch1 qsfp1')
  await button(apply, 'Review').click()
  const applied = dialog(page, 'Apply to switch1 qsfp1?')
  await expect(applied).toContainText('192.0.2.14/30')
  await button(applied, 'Apply').click()
  await expectToast(page, 'Settings applied to switch1 qsfp1')
  await expect(page.getByRole('timer')).toContainText('taken back in')
  await button(page, 'Keep this change').click()
  await expect(page.getByRole('timer')).toHaveCount(0)

  await button(page, 'Port settings actions').click()
  await menuItem(page, 'Edit').click()
  await expect(heading(page, `Edit ${name}`)).toBeVisible()
  await button(page, 'Paste JSON').click()
  const paste = dialog(page, 'Paste JSON')
  await textbox(paste, 'Port settings').fill('{"name": 1')
  await button(paste, 'Fill the form').click()
  await expect(paste).toContainText('This is no JSON')
  await textbox(paste, 'Port settings').fill(
    JSON.stringify({
      name,
      description: 'As JSON',
      port_config: { geometry: 'qsfp28x1' },
      links: [
        {
          link_name: 'phy1',
          mtu: 1500,
          speed: 'speed40_g',
          autoneg: true,
          lldp: { enabled: true },
        },
      ],
      addresses: [],
    }),
  )
  await button(paste, 'Fill the form').click()
  await expect(page.getByRole('table', { name: 'Links' })).toContainText('phy1')
  await button(page, 'Update port settings').click()
  const review = dialog(page, 'Update port settings?')
  await expect(review).toContainText('192.0.2.14/30')
  await button(review, 'Apply').click()
  await expectToast(page, `Port settings ${name} updated`)
  await expect(page.getByRole('table', { name: 'Links' })).toContainText('40 Gbit/s')
  await expect(page.getByRole('table', { name: 'Routes' })).toHaveCount(0)

  await button(page, 'Keep this change').click()
  const { items: ports } = await api.networkingSwitchPortList({ query: { limit: 100 } })
  const port = ports.find((one) => one.switchLocation === 'switch1' && one.portName === 'qsfp1')
  const settings = new URL(page.url()).pathname
  await go(page, `/system/inventory/switches/${port?.switchId}/ports/qsfp1`)
  await button(page, 'Port actions').click()
  await menuItem(page, 'Edit LLDP').click()
  const discovery = dialog(page, 'Edit LLDP')
  await textbox(discovery, 'LLDP: management address').fill('192.0.2')
  await button(discovery, 'Update').click()
  await expect(discovery.getByText(/is not|Not a/)).toBeVisible()
  await textbox(discovery, 'LLDP: management address').fill('192.0.2.7')
  await button(discovery, 'Update').click()
  await expectToast(page, 'LLDP of switch1 qsfp1 updated')
  await button(page, 'Port actions').click()
  await menuItem(page, 'Edit LLDP').click()
  await expect(textbox(discovery, 'LLDP: management address')).toHaveValue('192.0.2.7')
  await button(discovery, 'Cancel').click()

  await button(page, 'Port actions').click()
  await menuItem(page, 'Clear settings').click()
  const clearing = dialog(page, 'Clear the settings of switch1 qsfp1?')
  await expect(clearing).toContainText('qsfp1 phy1: speed40_g')
  await button(clearing, 'Apply').click()
  await expectToast(page, 'Settings of switch1 qsfp1 cleared')
  await go(page, settings)
  await button(page, 'Keep this change').click()
  await button(page, 'Port settings actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete port settings')
  await expectPath(page, list)
  await expect(row(page, name)).toHaveCount(0)
})

test('a viewer of the fleet sees port settings and changes none', async ({ page, enter }) => {
  await enter(list, 'victor-hale')
  await openRowMenu(page, 'uplink-0')
  await expectDisabled(menuItem(page, 'Delete'), /requires the admin role on the fleet/)
})
