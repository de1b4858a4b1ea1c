import type { Locator, Page } from '@playwright/test'
import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  expectToast,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  properties,
  row,
} from '../support/actions.ts'
import { makeFloatingIp, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

/** Opens the menu of a row, reads the reason of a disabled action and closes it. */
async function expectOffers(page: Page, name: string, offers: Record<string, string | true>) {
  await openRowMenu(page, name)
  for (const [item, reason] of Object.entries(offers))
    await test.step(item, () =>
      reason === true ? expectEnabled(menuItem(page, item)) : expectDisabled(menuItem(page, item), reason),
    )
  await page.keyboard.press('Escape')
}

const notStart = 'Only stopped or failed instances can be started'
const notStop = 'Only running instances can be stopped'
const notReboot = 'Only running instances can be rebooted'
const notResize = 'Only stopped, failed, or creating instances can be resized'
const notDelete = 'Only stopped or failed instances can be deleted'

test('a person resizes, starts, reboots, stops and deletes an instance from the list', async ({
  page,
  api,
  own,
}) => {
  const project = await own('fleet')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  const web = row(page, 'web')
  await expect(web).toContainText('stopped')
  await expect(web).toContainText('2 vCPUs')
  await expect(web).toContainText('4 GiB')

  await fromRow(page, 'web', 'Resize')
  const resize = dialog(page, 'Resize instance')
  await expect(resize).toContainText('Current (web): 2 vCPUs / 4 GiB')
  await expectDisabled(button(resize, 'Resize'), 'This is the current size')
  const cpus = resize.getByRole('textbox', { name: 'vCPUs' })
  await cpus.fill('65')
  await expect(resize.getByText('Can be at most 64')).toBeVisible()
  await cpus.fill('3')
  await resize.getByRole('textbox', { name: 'Memory (GiB)' }).fill('6')
  await expect(resize).toContainText('of this size can start now')
  await button(resize, 'Resize').click()
  await expectToast(page, 'Instance web resized')
  await expect(web).toContainText('3 vCPUs')
  await expect(web).toContainText('6 GiB')

  await fromRow(page, 'web', 'Start')
  await expect(web).toContainText('starting')
  await expect(web).toContainText('running')
  await fromRow(page, 'web', 'Reboot')
  await confirm(page, 'Reboot instance')
  await expect(web).toContainText('rebooting')
  await expect(web).toContainText('running')

  await fromRow(page, 'web', 'Stop')
  await confirm(page, 'Stop instance')
  await expectToast(page, 'Stopping instance web')
  await expect(web).toContainText('stopping')
  await expect(web).toContainText('stopped')
  await api.snapshotCreate({
    query: { project },
    body: { name: 'before', description: '', disk: 'web-boot' },
  })
  await api.instanceSnapshotCreate({
    query: { project, instance: 'web' },
    body: { name: 'monday', description: '' },
  })
  await makeFloatingIp(api, project, 'front', 'web')
  await fromRow(page, 'web', 'Delete')
  const deleting = dialog(page, 'Delete instance')
  await expect(deleting).toContainText('These snapshots of its disks stay: before and monday-web-boot.')
  await expect(deleting).toContainText('These snapshots of the instance are deleted with it: monday.')
  await expect(deleting).toContainText('These floating IPs stay in the project: front.')
  await expect(deleting.getByRole('checkbox', { name: 'web-boot' })).toBeChecked()
  await expect(deleting).toContainText('Boot disk, 2 GiB, created')
  await confirm(page, 'Delete instance')
  await expectToast(page, 'Deleting instance web')
  await expect(page.getByText('No instances', { exact: true })).toBeVisible()
  expect((await api.diskList({ query: { project } })).items).toEqual([])
})

test('a person deletes several instances with the disks of their choice', async ({ page, api, own }) => {
  const project = await own('several')
  for (const name of ['web-1', 'web-2']) await makeInstance(api, { project, name })
  await makeFloatingIp(api, project, 'front', 'web-2')
  await openIn(page, project, 'instances')
  for (const name of ['web-1', 'web-2']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button(page, 'Delete').click()
  const deleting = dialog(page, 'Delete 2 instances')
  const ofBoot = deleting.getByRole('radio', { name: 'Boot disks that were created with their instance' })
  await expect(ofBoot).toBeChecked()
  await expect(deleting).toContainText('2 disks, 4 GiB')
  await expect(deleting).toContainText('These floating IPs stay in their projects: front.')
  await expect(deleting).toContainText('Snapshots of an instance are deleted with it')
  await deleting.getByRole('radio', { name: 'No disks' }).check()
  await confirmButton(deleting).click()
  await expect(page.getByText('No instances', { exact: true })).toBeVisible()
  expect((await api.diskList({ query: { project } })).items.map(({ name }) => name)).toEqual([
    'web-1-boot',
    'web-2-boot',
  ])
})

test('each state enables the allowed actions and says why the others are disabled', async ({
  page,
  enter,
}) => {
  await enter('/projects/telemetry/instances')
  await expect(row(page, 'query-failed')).toContainText('failed')
  await expectOffers(page, 'query-failed', {
    Start: true,
    Stop: true,
    Reboot: notReboot,
    Resize: true,
    Delete: true,
  })
  await expectOffers(page, 'collector-01', {
    Start: notStart,
    Stop: true,
    Reboot: true,
    Resize: notResize,
    Delete: notDelete,
  })
  await expectOffers(page, 'ingest-gateway', {
    Start: true,
    Stop: notStop,
    Reboot: notReboot,
    Resize: true,
    Delete: true,
  })
  await expectOffers(page, 'query-starting', {
    Start: notStart,
    Stop: true,
    Reboot: notReboot,
    Resize: notResize,
    Delete: notDelete,
  })
  await expectOffers(page, 'query-creating', { Start: notStart, Resize: true, Delete: notDelete })
  await expectOffers(page, 'query-stopping', { Start: notStart, Stop: notStop, Delete: notDelete })
  for (const state of ['creating', 'starting', 'stopping', 'rebooting', 'migrating', 'repairing'])
    await expect(row(page, `query-${state}`)).toContainText(state)
})

test('the reason of a disabled action shows on hover', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances')
  await openRowMenu(page, 'collector-01')
  await menuItem(page, 'Start').hover()
  await expect(page.getByText(notStart)).toBeVisible()
  await menuItem(page, 'Start').click({ force: true })
  await expect(dialog(page, 'Start instance')).toBeHidden()
})

test('an open row menu stays open while the rows are read again', async ({ page, api, own }) => {
  const project = await own('steady')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await fromRow(page, 'web', 'Start')
  await expect(row(page, 'web')).toContainText('starting')
  await openRowMenu(page, 'web')
  await expectDisabled(menuItem(page, 'Reboot'), notReboot)
  await expect(row(page, 'web')).toContainText('running')
  await expect(page.getByRole('menu', { name: 'Row actions' })).toBeVisible()
  await expectEnabled(menuItem(page, 'Reboot'))
})

test('several instances are stopped together', async ({ page, api, own }) => {
  const project = await own('several')
  await Promise.all([
    makeInstance(api, { project, name: 'idle' }),
    makeInstance(api, { project, name: 'busy', start: true }),
  ])
  await openIn(page, project, 'instances')
  // The page before has the same checkbox.
  await expect(row(page, 'busy')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await button(page, /^Stop/).click()
  const question = dialog(page, /^Stop/)
  await expect(question).toContainText('busy')
  await confirmButton(question).click()
  await expect(row(page, 'busy')).toContainText('stopped')
  await expect(row(page, 'idle')).toContainText('stopped')
})

test('a resize dialog notices that the instance has been started', async ({ page, api, own }) => {
  const project = await own('race')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances')
  await fromRow(page, 'web', 'Resize')
  const resize = dialog(page, 'Resize instance')
  await expect(resize).toContainText('Current (web): 2 vCPUs / 4 GiB')
  await resize.getByRole('textbox', { name: 'vCPUs' }).fill('3')
  await api.instanceStart({ params: { instance: 'web' }, query: { project } })
  await expect(resize.getByText('An instance must be stopped to be resized').first()).toBeVisible()
  await expectDisabled(button(resize, 'Resize'), 'An instance must be stopped to be resized')
  await expect(resize.getByRole('textbox', { name: 'vCPUs' })).toHaveValue('3')
})

test('the list leads to the instance, and the page back to the list', async ({ page, enter }) => {
  await enter('/projects/storefront/instances')
  await page.getByRole('link', { name: 'shop-a', exact: true }).click()
  await expect(heading(page, 'shop-a')).toBeVisible()
  await expectPath(page, '/projects/storefront/instances/shop-a/storage')
  await expect(page).toHaveTitle('Storage / shop-a / Instances / storefront / Projects / Purlin')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(crumbs).toHaveText(['Projects', 'storefront', 'Instances', 'shop-a', 'Storage'])
  await crumbs.nth(2).click()
  await expect(heading(page, 'Instances')).toBeVisible()
})

test('a person shows the CPU use of the last hour in the list, which is read once it is shown', async ({
  page,
  enter,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/timeseries/query')) asked.push(request.postData() ?? '')
  })
  await enter('/projects/storefront/instances')
  await expect(row(page, 'shop-a')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'CPU use' })).toBeHidden()
  expect(asked).toEqual([])
  await button(page, 'List options').click()
  await page.getByRole('menuitemcheckbox', { name: 'CPU use' }).click()
  await page.keyboard.press('Escape')
  await expect(row(page, 'shop-a')).toContainText(/CPU use \d+% now, \d+% to \d+% in the last hour/)
  await expect(row(page, 'shop-b')).toContainText(/CPU use \d+% now/)
  // One query for both, and none for the stopped one.
  expect(asked).toHaveLength(1)
  expect(asked[0]?.match(/instance_id == /g)).toHaveLength(2)
  await button(page, 'List options').click()
  await page.getByRole('menuitemcheckbox', { name: 'Memory use' }).click()
  await page.keyboard.press('Escape')
  await expect(row(page, 'shop-a')).toContainText(/Memory use \d+% now, \d+% to \d+% in the last hour/)
  await row(page, 'shop-b').getByRole('link', { name: 'shop-b' }).click()
  await expect(properties(page)).toContainText(/CPU use \d+% now/)
  await expect(properties(page)).toContainText(/Memory use \d+% now/)
})

test('a table without room at 1024 px hides its least important columns and names them', async ({
  page,
  enter,
}) => {
  await page.setViewportSize({ width: 1024, height: 800 })
  await enter('/projects/storefront/vpcs/default/firewall-rules')
  await expect(page.getByText('No room for')).toContainText('created')
  await expect(page.getByRole('columnheader', { name: 'created' })).toBeHidden()
  await expect(page.getByRole('region', { name: /scrolls horizontally/ })).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(page.getByRole('columnheader', { name: 'created' })).toBeVisible()
  await expect(page.getByText('No room for')).toBeHidden()
})

test('a table that scrolls sideways has a fade where it continues', async ({ page, enter }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await enter('/projects/storefront/vpcs/default/firewall-rules')
  const box = page.getByRole('region', { name: /scrolls horizontally/ })
  const rule = row(page, 'allow-ssh')
  const [name, menu] = [rule.getByRole('rowheader'), rule.getByRole('cell').last()]
  const fadeOf = (cell: Locator) => () => cell.evaluate((one) => getComputedStyle(one, '::after').opacity)
  await expect.poll(fadeOf(menu)).toBe('1')
  expect(await fadeOf(name)()).toBe('0')
  await box.evaluate((one) => one.scrollTo({ left: one.scrollWidth }))
  await expect.poll(fadeOf(menu)).toBe('0')
  await expect.poll(fadeOf(name)).toBe('1')
})
