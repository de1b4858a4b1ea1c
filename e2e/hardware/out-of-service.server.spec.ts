import {
  button,
  confirm,
  dialog,
  expectToast,
  fromRow,
  go,
  heading,
  menuItem,
  row,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

// Needs a separate site: hardware is taken out of service for good.
test.use({ siteOf: 'out of service' })

const list = '/system/inventory/sleds'
const operator = 'tariq-aziz'

test('an operator moves by keys in the rack, adds a sled and takes a missing one and a disk out of service', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system/inventory/racks', operator)
  const sleds = (await api.sledList({ query: {} })).items
  const missing = sleds.find(({ missingSince }) => missingSince)
  const [{ baseboard: added } = { baseboard: { serial: '' } }] = (
    await api.sledListUninitialized({ query: {} })
  ).items
  await page.getByRole('table', { name: 'Racks' }).getByRole('link').first().click()
  const places = page.getByRole('list', { name: /^Places of rack/ })
  await places.getByRole('link').first().focus()
  await page.keyboard.press('End')
  const last = places.getByRole('link').last()
  await expect(last).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(last).not.toBeFocused()
  await expect(places.locator('a:focus')).toHaveCount(1)
  await page.keyboard.press('Home')
  await expect(places.getByRole('link').first()).toBeFocused()
  await expect(places).toHaveAccessibleDescription(/in service/)
  await page.keyboard.press('Enter')
  await expect(heading(page, /^Switch /)).toBeVisible()

  await go(page, list)
  const found = page.getByRole('table', { name: 'New sleds' })
  await button(row(found, added.serial), 'Add sled').click()
  await confirm(page, 'Add sled')
  await expectToast(page, `Sled ${added.serial} added`)
  await expect(found).toHaveCount(0)
  await expect(row(page, added.serial)).toContainText('Provisionable')

  const serial = missing?.baseboard.serial ?? ''
  await fromRow(page, serial, 'Expunge')
  const question = dialog(page, 'Expunge sled')
  await expect(question).toContainText('This cannot be undone.')
  await confirm(page, 'Expunge sled')
  await expectToast(page, `Sled ${serial} expunged`)
  await expect(row(page, serial)).toHaveCount(0)
  await go(page, `${list}/${missing?.id}/disks`)
  await expect(page.getByText('Expunged', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('decommissioned').first()).toBeVisible()

  const disk = (await api.physicalDiskList({ query: {} })).items.find(
    ({ sledId, formFactor, policy }) =>
      sledId !== missing?.id && formFactor === 'u2' && policy.kind === 'in_service',
  )
  await go(page, `/system/inventory/disks/${disk?.id}`)
  await button(page, 'Disk actions').click()
  await menuItem(page, 'Expunge').click()
  await confirm(page, 'Expunge disk')
  await expectToast(page, `Disk ${disk?.serial} expunged`)
  await expect(page.getByText('Expunged', { exact: true })).toBeVisible()
})

test('an operator sees why instances stay on a sled, tries again, stops half-way, and consents to stop the rest', async ({
  page,
  enter,
  api,
}) => {
  await enter(list, operator)
  const sleds = (await api.sledList({ query: {} })).items.filter(({ missingSince }) => !missingSince)
  const close = async (others: string, state: 'provisionable' | 'non_provisionable') => {
    for (const { id } of sleds)
      if (id !== others) await api.sledSetProvisionPolicy({ params: { sledId: id }, body: { state } })
  }
  const counts = await Promise.all(
    sleds.map(
      async ({ id }) => (await api.sledInstanceList({ params: { sledId: id }, query: {} })).items.length,
    ),
  )
  const at = counts.indexOf(Math.max(...counts))
  const { id = '', baseboard: { serial } = { serial: '' } } = sleds[at] ?? {}
  await close(id, 'non_provisionable')

  await go(page, `${list}/${id}/maintenance`)
  await expect(page.getByRole('table', { name: 'Plan' })).toContainText('cannot move')
  await button(page, 'Start maintenance').click()
  const first = dialog(page, 'Start maintenance')
  await expect(first).toContainText('the sled does not become empty')
  await button(first, 'Start').click()
  await expectToast(page, `Maintenance of sled ${serial} started`)
  await expect(page.getByRole('heading', { name: 'Some instances are left' })).toBeVisible()
  const moves = page.getByRole('table', { name: 'Instances' })
  await expect(moves.getByText('failed').first()).toBeVisible()
  await expect(moves.getByRole('row').nth(1)).toContainText(/sled/)

  await close(id, 'provisionable')
  await button(page, 'Try again').click()
  await button(dialog(page, 'Move the remaining instances'), 'Move').click()
  await button(page, 'Stop moving').click()
  await expect(
    page.getByRole('heading', { name: /^(Some instances are left|The sled is empty)$/ }),
  ).toBeVisible()
  await expect(button(page, 'Stop moving')).toHaveCount(0)
  await button(page, 'Give back').click()
  await confirm(page, 'Give sled back')
  await expectToast(page, `Sled ${serial} is back in service`)

  // The instances are where they are now: one of the sleds has some.
  const now = await Promise.all(
    sleds.map(async (sled) => ({
      sled,
      count: (await api.sledInstanceList({ params: { sledId: sled.id }, query: {} })).items.length,
    })),
  )
  const { sled: other } = now.find(({ count }) => count > 0) ?? { sled: undefined }
  await close(other?.id ?? '', 'non_provisionable')
  await go(page, `${list}/${other?.id}/maintenance`)
  await expect(page.getByRole('table', { name: 'Plan' })).toContainText('cannot move')
  await button(page, 'Start maintenance').click()
  const second = dialog(page, 'Start maintenance')
  await second.getByRole('checkbox', { name: 'Stop instances that cannot be moved' }).check()
  await button(second, 'Start').click()
  await expect(page.getByRole('heading', { name: 'The sled is empty' })).toBeVisible()
  await expect(moves.getByText('done').first()).toBeVisible()
})
