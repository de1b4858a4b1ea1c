import type { Locator, Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  expectToast,
  find,
  menuItem,
  openRowMenu,
  options,
  pick,
  properties,
  row,
  textbox,
  withoutEvents,
} from '../support/actions.ts'
import { expectState, makeFloatingIp, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const ips = (page: Page) => page.getByRole('table', { name: 'External IPs' })
const nics = (page: Page) => page.getByRole('table', { name: 'Network interfaces' })
const attachEphemeral = (page: Page) => button(page, 'Attach ephemeral IP')
const attachFloating = (page: Page) => button(page, 'Attach floating IP').first()
const addNic = (page: Page) => button(page, 'Add network interface').first()
/** The row of an address or interface, whatever else its first cell says. */
const startingWith = (text: string) => new RegExp(`^${text}`)

async function fromMenu(page: Page, table: Locator, name: string, item: string) {
  await openRowMenu(table, startingWith(name))
  await menuItem(page, item).click()
}

const makeSubnet = (api: Client<Operations>, project: string, name: string, ipv4Block: string) =>
  api.vpcSubnetCreate({ query: { project, vpc: 'default' }, body: { name, description: '', ipv4Block } })

test('interfaces change only while the instance is stopped, and each control says why', async ({
  page,
  api,
  own,
}) => {
  const project = await own('wired')
  await makeInstance(api, { project, name: 'web', start: true })
  await openIn(page, project, 'instances/web')
  await page.getByRole('tab', { name: 'Networking' }).click()
  await expectPath(page, `/projects/${project}/instances/web/networking`)
  await expectDisabled(
    addNic(page),
    'A network interface cannot be created or edited unless the instance is stopped',
  )
  await openRowMenu(nics(page), startingWith('net0'))
  await expectDisabled(menuItem(page, 'Make primary'), 'This network interface is already set as primary')
  await expectDisabled(
    menuItem(page, 'Edit'),
    "The instance must be stopped before editing a network interface's settings",
  )
  await expectDisabled(menuItem(page, 'Delete'), 'The instance must be stopped to delete a network interface')
  await api.instanceStop({ params: { instance: 'web' }, query: { project } })
  await page.keyboard.press('Escape')
  await button(page, 'Refresh data').click()
  await openRowMenu(nics(page), startingWith('net0'))
  await expect(properties(page)).toContainText('stopped')
  await expectEnabled(menuItem(page, 'Edit'))
  await page.keyboard.press('Escape')
  await expectEnabled(addNic(page))
})

test('a person adds interfaces, changes the primary one, and deletes them', async ({ page, api, own }) => {
  const project = await own('nics')
  await makeSubnet(api, project, 'rows', '10.40.0.0/24')
  await makeSubnet(api, project, 'logs', '10.50.0.0/24')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/networking')
  await addNic(page).click()
  const add = dialog(page, 'Add network interface')
  await expect(add.getByRole('combobox', { name: 'VPC' })).toHaveValue('default')
  await textbox(add, 'Name').fill('net0')
  await button(add, 'Add network interface').click()
  await expect(add.getByText('Name is already in use')).toBeVisible()
  await expect(add.getByText('Subnet is required')).toBeVisible()
  await textbox(add, 'Name').fill('net1')
  await add.getByRole('button', { name: /Subnet/ }).click()
  await expect(options(page)).toHaveText([/^logs/, /^rows/])
  await options(page).filter({ hasText: 'rows' }).click()
  await textbox(add, 'IP Address').fill('10.41.0.9')
  await button(add, 'Add network interface').click()
  await expect(add.getByText('Must be an address of 10.40.0.0/24')).toBeVisible()
  await textbox(add, 'IP Address').fill(' 10.40.0.9 ')
  await button(add, 'Add network interface').click()
  await expectToast(page, 'Network interface net1 added')
  await expect(row(nics(page), startingWith('net1'))).toContainText('10.40.0.9')
  await expect(row(nics(page), startingWith('net1'))).toContainText('rows')

  await openRowMenu(nics(page), startingWith('net0'))
  await expectDisabled(menuItem(page, 'Delete'), /^The primary interface can’t be deleted/)
  await page.keyboard.press('Escape')
  await fromMenu(page, nics(page), 'net1', 'Make primary')
  await expectToast(page, 'Network interface net1 is now primary')
  await expect(row(nics(page), startingWith('net1'))).toContainText('primary')
  // The exact text: the cell has no badge.
  await expect(row(nics(page), 'net0')).toBeVisible()

  await fromMenu(page, nics(page), 'net1', 'Edit')
  const edit = dialog(page, 'Edit network interface')
  await expect(edit).toContainText('10.40.0.9')
  await textbox(edit, 'Name').fill('rows-net')
  await textbox(edit, 'Description').fill('To the rows')
  await button(edit, 'Update network interface').click()
  await expectToast(page, 'Network interface rows-net updated')
  await expect(row(nics(page), startingWith('rows-net'))).toContainText('To the rows')
  await expect(row(nics(page), startingWith('rows-net'))).toContainText('primary')

  await fromMenu(page, nics(page), 'net0', 'Delete')
  await confirm(page, 'Delete network interface')
  await expect(row(nics(page), startingWith('net0'))).toHaveCount(0)
  await fromMenu(page, nics(page), 'rows-net', 'Delete')
  await confirm(page, 'Delete network interface')
  await expectToast(page, 'Network interface rows-net deleted')
  await expect(page.getByText('No network interfaces', { exact: true })).toBeVisible()
  await expectDisabled(attachEphemeral(page), 'Instance has no network interfaces')
})

test('transit IPs are checked before they join the list, and the list is saved as a whole', async ({
  page,
  api,
  own,
}) => {
  const project = await own('transit')
  await makeInstance(api, { project, name: 'router' })
  await openIn(page, project, 'instances/router/networking')
  await fromMenu(page, nics(page), 'net0', 'Edit')
  const edit = dialog(page, 'Edit network interface')
  const box = textbox(edit, 'Transit IPs')
  const add = button(edit, 'Add transit IP')
  await expectDisabled(add, 'Fill in the fields above first')
  await box.fill('10.0.0.0')
  await add.click()
  await expect(edit.getByText('Must contain an IP address and a width, separated by a /')).toBeVisible()
  await box.fill('10.0.0.0/40')
  await expect(edit.getByText('Max width for IPv4 is 32')).toBeVisible()
  await button(edit, 'Clear').click()
  await expect(box).toHaveValue('')
  await expect(edit.getByText('Max width for IPv4 is 32')).toBeHidden()
  await box.fill('10.0.0.0/8')
  await box.press('Enter')
  await expect(edit.getByRole('table', { name: 'Transit IPs' })).toContainText('10.0.0.0/8')
  await box.fill('10.0.0.0/8')
  await box.press('Enter')
  await expect(edit.getByText('Transit IP already in list')).toBeVisible()
  await box.fill('192.168.0.0/16')
  await button(edit, 'Update network interface').click()
  await expect(edit.getByText('Add this network to the list, or clear it')).toBeVisible()
  await add.click()
  await button(edit, 'Update network interface').click()
  await expectToast(page, 'Network interface net0 updated')
  await expect(row(nics(page), startingWith('net0'))).toContainText('10.0.0.0/8')
  await button(row(nics(page), startingWith('net0')), '+1').hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'Other transit IPs' })).toContainText(
    '192.168.0.0/16',
  )
})

test('an ephemeral address is detached and another is taken from the pool of choice', async ({
  page,
  api,
  troubles,
  own,
}) => {
  troubles.allow(/^404 /)
  // Otherwise the page of a deleted instance says so immediately.
  await withoutEvents(page)
  const project = await own('fleeting')
  await makeInstance(api, { project, name: 'web', start: true })
  const target = { params: { instance: 'web' }, query: { project } }
  const { ip } = await api.instanceEphemeralIpAttach({ ...target, body: {} })
  await openIn(page, project, 'instances/web/networking')
  await expectDisabled(attachEphemeral(page), 'Instance already has an ephemeral IP')
  await openRowMenu(ips(page), / \d+–\d+$/)
  await expect(menuItem(page, 'Copy IP address')).toBeVisible()
  await expectDisabled(menuItem(page, 'Detach'), "SNAT IPs can't be detached")
  await page.keyboard.press('Escape')

  await fromMenu(page, ips(page), ip, 'Detach')
  await confirm(page, 'Detach ephemeral IP')
  await expectToast(page, `Ephemeral IP ${ip} detached`)
  await expect(row(ips(page), 'ephemeral')).toHaveCount(0)
  const reach = page.getByRole('group', { name: 'Properties table' }).nth(1)
  await expect(reach).toContainText('has no address that can be reached from outside')
  await expect(reach.getByText('Closed', { exact: true }).first()).toHaveClass(/text-idle/)
  await attachEphemeral(page).click()
  const attach = dialog(page, 'Attach ephemeral IP')
  await expect(attach.getByRole('button', { name: /IP pool/ })).toContainText('public-v4')
  await pick(page, attach, 'IP pool', 'office')
  await button(attach, 'Attach').click()
  await expectToast(page, /IP 10\.90\.4\.\d+ attached/)
  await expect(row(ips(page), startingWith('10.90.4'))).toContainText('office')
  await expect(reach).toContainText(/It can be reached at 10\.90\.4\.\d+: TCP 22, ICMP\./)
  await expectDisabled(attachEphemeral(page), 'Instance already has an ephemeral IP')
  await expect(properties(page)).toContainText(/10\.90\.4\.\d+/)

  await makeInstance(api, { project, name: 'gone' })
  await openIn(page, project, 'instances/gone/networking')
  await attachEphemeral(page).click()
  await api.instanceDelete({ params: { instance: 'gone' }, query: { project } })
  await button(attach, 'Attach').click()
  await expect(attach.getByRole('alert')).toContainText(/not found: instance/i)
})

test('floating IPs are attached and detached while the instance runs', async ({ page, api, own }) => {
  const project = await own('afloat')
  await makeInstance(api, { project, name: 'web', start: true })
  await openIn(page, project, 'instances/web/networking')
  await expectDisabled(attachFloating(page), 'No available floating IPs')
  await makeFloatingIp(api, project, 'a', 'web')
  await makeFloatingIp(api, project, 'b', 'web')
  const free = await makeFloatingIp(api, project, 'c')
  await button(page, 'Refresh data').click()
  await expectEnabled(attachFloating(page))
  await attachFloating(page).focus()
  await page.keyboard.press('Enter')
  const attach = dialog(page, 'Attach floating IP')
  await expectDisabled(button(attach, 'Attach floating IP'), 'Select a floating IP first')
  await attach.getByRole('combobox', { name: 'Floating IP' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(options(page)).toHaveText([new RegExp(`${free} / public-v4`)])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(attach).toContainText(`reachable at ${free}`)
  await button(attach, 'Attach floating IP').click()
  await expectToast(page, 'Floating IP c attached')
  await expect(row(ips(page), startingWith(free))).toContainText('floating')
  await expectDisabled(attachFloating(page), 'No available floating IPs')

  await page.getByRole('tab', { name: 'Storage' }).click()
  await page.getByRole('link', { name: '1 more external IPs' }).click()
  await expectPath(page, `/projects/${project}/instances/web/networking`)
  await fromMenu(page, ips(page), free, 'Detach')
  await expectToast(page, 'Floating IP c detached')
  await expect(page.getByRole('link', { name: '1 more external IPs' })).toHaveCount(0)
  await expectEnabled(attachFloating(page))
})

test('a page with slow responses is shown when they arrive', async ({ page, enter, api, own }) => {
  const project = await own('slow')
  await makeInstance(api, { project, name: 'web' })
  const ip = await makeFloatingIp(api, project, 'front', 'web')
  await enter(`/projects/${project}/floating-ips`)
  await expect(row(page, 'front').getByRole('link', { name: 'web', exact: true })).toBeVisible()
  // The list of the page before requests these as well, but only for a search.
  await page.route(/\/v1\/floating-ips\?.*limit=50/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await row(page, 'front').getByRole('link', { name: 'web', exact: true }).click()
  await expect(page.getByRole('table', { name: 'External IPs' })).toContainText(ip)
})

test('an open menu stays open during polling while the instance starts', async ({ page, api, own }) => {
  const project = await own('steady')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/networking')
  await expect(nics(page)).toBeVisible()
  await api.instanceStart({ params: { instance: 'web' }, query: { project } })
  await button(page, 'Refresh data').click()
  await openRowMenu(nics(page), startingWith('net0'))
  await expect(properties(page)).toContainText('running')
  await expect(menuItem(page, 'Copy ID')).toBeVisible()
})

test('a new instance gets the interfaces and addresses of its form', async ({ page, api, own }) => {
  const project = await own('custom')
  await makeSubnet(api, project, 'rows', '10.40.0.0/24')
  const floating = await makeFloatingIp(api, project, 'front')
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await page.getByRole('checkbox', { name: 'Start instance' }).uncheck()
  await find(page, page, 'Image', 'alpine-3-22')
  await page.getByRole('radio', { name: /^None/ }).check()
  await expectDisabled(attachFloating(page), 'Instance has no network interfaces')
  await page.getByRole('radio', { name: /^Custom/ }).check()
  await button(page, 'Create instance').click()
  await expect(page.getByText('Add at least one network interface').first()).toBeVisible()
  const add = dialog(page, 'Add network interface')
  for (const [name, subnet] of [
    ['outer', 'default'],
    ['inner', 'rows'],
  ] as const) {
    await addNic(page).click()
    await textbox(add, 'Name').fill(name)
    await pick(page, add, 'Subnet', subnet)
    await button(add, 'Add network interface').click()
    await expect(add).toBeHidden()
  }
  await pick(page, page, 'IP pool for ephemeral IP', 'office')
  await attachFloating(page).click()
  const attach = dialog(page, 'Attach floating IP')
  await find(page, attach, 'Floating IP', 'front')
  await button(attach, 'Attach').click()
  await button(page, 'remove floating IP front').click()
  await attachFloating(page).click()
  await find(page, attach, 'Floating IP', 'front')
  await button(attach, 'Attach').click()
  await expectDisabled(attachFloating(page), 'No floating IPs available')
  await button(page, 'Create instance').click()
  await expectToast(page, 'Instance web created')
  await expectState(api, { project, name: 'web' }, 'stopped')
  await openIn(page, project, 'instances/web/networking')
  await expect(row(nics(page), startingWith('outer'))).toContainText('primary')
  await expect(row(nics(page), startingWith('inner'))).toContainText(/10\.40\.0\.\d+/)
  await expect(row(ips(page), startingWith(floating))).toContainText('front')
  await expect(row(ips(page), startingWith('10.90.4'))).toContainText('office')
})

test('an instance without addresses leads to where they are attached', async ({ page, api, own }) => {
  const project = await own('lonely')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/connect')
  await page.getByRole('link', { name: 'networking tab' }).click()
  await expectPath(page, `/projects/${project}/instances/web/networking`)
})

test('a viewer sees the network and why nothing can be changed', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances/ingest-gateway/networking', 'rosa-lima')
  const reason = /^This requires the collaborator role on the project/
  for (const control of [attachEphemeral(page), attachFloating(page), addNic(page)])
    await expectDisabled(control, reason)
  await openRowMenu(ips(page), /floating/)
  await expectDisabled(menuItem(page, 'Detach'), reason)
})
