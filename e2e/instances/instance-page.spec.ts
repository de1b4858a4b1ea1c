import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectEnabled,
  expectPath,
  expectToast,
  find,
  heading,
  menuItem,
  openRowMenu,
  pick,
  properties,
  row,
  textbox,
  undo,
} from '../support/actions.ts'
import { makeDisk, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const card = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
const boot = (page: Page) => card(page, 'Boot disk')
const others = (page: Page) => card(page, 'Additional disks')

test('a person starts, reboots, stops and deletes an instance from its page', async ({ page, api, own }) => {
  const project = await own('single')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web')
  await expectPath(page, `/projects/${project}/instances/web/storage`)
  await expect(properties(page)).toContainText('stopped')
  await expect(properties(page)).toContainText('2 vCPUs')
  await expectDisabled(button(page, 'Stop'), 'Only running instances can be stopped')
  await button(page, 'Start').click()
  await expect(properties(page)).toContainText('starting')
  await expect(properties(page)).toContainText('running')
  await expectDisabled(button(page, 'Start'), 'Only stopped or failed instances can be started')
  await button(page, 'Instance actions').click()
  await expectDisabled(menuItem(page, 'Delete'), 'Only stopped or failed instances can be deleted')
  await menuItem(page, 'Reboot').click()
  await confirm(page, 'Reboot instance')
  await expect(properties(page)).toContainText('rebooting')
  await expect(properties(page)).toContainText('running')
  await button(page, 'Stop').click()
  await confirm(page, 'Stop instance')
  await expect(properties(page)).toContainText('stopping')
  await expect(properties(page)).toContainText('stopped')
  const query = { project, vpc: 'default' }
  const { rules } = await api.vpcFirewallRulesView({ query })
  const targets = [{ type: 'instance' as const, value: 'web' }]
  const toWeb = { ...rules[0]!, name: 'to-web', targets }
  await api.vpcFirewallRulesUpdate({ query, body: { rules: [...rules, toWeb] } })
  await button(page, 'Instance actions').click()
  // Hovering does not prefetch a page that is about to be gone.
  await menuItem(page, 'Clone').hover()
  await menuItem(page, 'Delete').click()
  await expect(dialog(page, 'Delete instance')).toContainText(
    'firewall rule to-web: It will have no effect. None of its targets exists',
  )
  await confirm(page, 'Delete instance')
  await expectPath(page, `/projects/${project}/instances`)
  await expect(page.getByText('No instances', { exact: true })).toBeVisible()
})

test('disks of a running instance cannot be changed, and each control says why', async ({
  page,
  api,
  own,
}) => {
  const project = await own('running')
  await makeDisk(api, project, 'data')
  await makeInstance(api, { project, name: 'web', start: true, disks: ['data'] })
  await openIn(page, project, 'instances/web/storage')
  await expectDisabled(button(page, 'Attach existing disk'), 'Instance must be stopped to attach a disk')
  await expectDisabled(button(page, 'Create disk'), 'Instance must be stopped to create and attach a disk')
  await openRowMenu(boot(page), 'web-boot')
  await expectDisabled(
    menuItem(page, 'Unset as boot disk'),
    'Instance must be stopped before boot disk can be changed',
  )
  await expectDisabled(menuItem(page, 'Detach'), 'Boot disk must be unset before it can be detached')
  await page.keyboard.press('Escape')
  await openRowMenu(others(page), 'data')
  await expectDisabled(
    menuItem(page, 'Set as boot disk'),
    'Instance must be stopped before boot disk can be changed',
  )
  await expectDisabled(menuItem(page, 'Detach'), 'Instance must be stopped before disk can be detached')
  await expectDisabled(
    menuItem(page, 'Roll back'),
    'Instance web must be stopped before its disk can be rolled back',
  )
  await menuItem(page, 'Enlarge').click()
  const grow = dialog(page, 'Enlarge disk')
  await textbox(grow, 'Size (GiB)').fill('24')
  await button(grow, 'Enlarge disk').click()
  await expect(row(others(page), 'data')).toContainText('24 GiB')
})

test('a person attaches, creates and detaches disks, and changes what the instance boots from', async ({
  page,
  api,
  own,
}) => {
  const project = await own('boots')
  await makeDisk(api, project, 'data')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/storage')
  await expect(row(boot(page), 'web-boot')).toContainText('attached')
  await expect(others(page)).toContainText('No other disks')

  await button(page, 'Attach existing disk').click()
  const attach = dialog(page, 'Attach disk')
  await button(attach, 'Attach disk').click()
  await expect(attach.getByText('Disk name is required')).toBeVisible()
  await find(page, attach, 'Disk name', 'data')
  await button(attach, 'Attach disk').click()
  await expectToast(page, 'Disk data attached')
  await expect(row(others(page), 'data')).toContainText('attached')

  await button(page, 'Create disk').click()
  const create = dialog(page, 'Create disk')
  await textbox(create, 'Name').fill('data')
  await button(create, 'Create disk').click()
  await expect(create.getByText('Name is already in use')).toBeVisible()
  await textbox(create, 'Name').fill('scratch')
  await button(create, 'Create disk').click()
  await expectToast(page, 'Disk scratch attached')
  await expect(row(others(page), 'scratch')).toContainText('10 GiB')

  const choose = async (within: typeof boot, disk: string, item: string) => {
    await openRowMenu(within(page), disk)
    await menuItem(page, item).click()
  }
  await choose(others, 'data', 'Set as boot disk')
  await expect(row(boot(page), 'data')).toBeVisible()
  await expect(row(others(page), 'web-boot')).toBeVisible()
  await choose(boot, 'data', 'Unset as boot disk')
  await expect(boot(page)).toContainText('No boot disk set')
  await expect(boot(page)).toContainText('Setting a boot disk is recommended')
  await choose(others, 'scratch', 'Detach')
  await expectToast(page, 'Disk scratch detached')
  await undo(page)
  await expect(row(others(page), 'scratch')).toBeVisible()
  await choose(others, 'scratch', 'Detach')
  await expect(row(others(page), 'scratch')).toBeHidden()
  await choose(others, 'data', 'Detach')
  await expect(boot(page)).toContainText('Instance will boot from web-boot because it is the only disk.')
  await choose(others, 'web-boot', 'Detach')
  await expect(boot(page)).toContainText('Attach a disk to be able to set a boot disk.')
  await expect(others(page)).toContainText('No other disks')
})

test('tabs are changed by arrow keys, round the end', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-a/storage')
  await page.getByRole('tab', { name: 'Storage' }).focus()
  const steps = [
    ['ArrowRight', 'Snapshots', 'snapshots'],
    ['ArrowRight', 'Networking', 'networking'],
    ['ArrowRight', 'Metrics', 'metrics/cpu'],
    ['ArrowRight', 'Connect', 'connect'],
    ['ArrowRight', 'Settings', 'settings'],
    ['ArrowRight', 'Activity', 'activity'],
    ['ArrowRight', 'Storage', 'storage'],
    ['ArrowLeft', 'Activity', 'activity'],
  ] as const
  for (const [key, name, path] of steps) {
    await page.keyboard.press(key)
    await expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tab', { name })).toBeFocused()
    await expectPath(page, `/projects/storefront/instances/shop-a/${path}`)
  }
  await expect(page.getByRole('tab', { name: 'Storage' })).toHaveAttribute('tabindex', '-1')
})

test('the auto-restart policy can be saved only after a change', async ({ page, api, own }) => {
  const project = await own('restart')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/settings')
  await expectDisabled(button(page, 'Save'), 'Nothing has changed')
  await pick(page, page, 'Policy', 'Never')
  await expectEnabled(button(page, 'Save'))
  await button(page, 'Save').click()
  await expectToast(page, 'Instance auto-restart policy updated')
  await expectDisabled(button(page, 'Save'), 'Nothing has changed')

  // The form follows changes made elsewhere as long as it has no unsaved changes.
  const policy = page.getByRole('button', { name: /Policy/ })
  const changeElsewhere = async (autoRestartPolicy: 'never' | 'best_effort' | null) => {
    const target = { params: { instance: 'web' }, query: { project } }
    const { ncpus, memory, bootDiskId, cpuPlatform } = await api.instanceView(target)
    const body = {
      ncpus,
      memory,
      bootDisk: bootDiskId ?? null,
      cpuPlatform: cpuPlatform ?? null,
      autoRestartPolicy,
    }
    await api.instanceUpdate({ ...target, body })
    await button(page, 'Refresh data').click()
  }
  await changeElsewhere('best_effort')
  await expect(policy).toContainText('Best effort')
  await expectDisabled(button(page, 'Save'), 'Nothing has changed')
  await pick(page, page, 'Policy', 'Default')
  await changeElsewhere('never')
  await expectEnabled(button(page, 'Save'))
  await expect(policy).toContainText('Default')
  await changeElsewhere(null)
  await expectDisabled(button(page, 'Save'), 'Nothing has changed')
  await changeElsewhere('never')
  await expect(policy).toContainText('Never')
})

test('a failed instance shows the reason and whether it will be restarted', async ({ page, enter }) => {
  await enter('/projects/telemetry/instances/query-failed/storage')
  await expect(heading(page, 'query-failed')).toBeVisible()
  await expect(
    page.getByText('The guest stopped answering its hypervisor', { exact: false }).first(),
  ).toBeVisible()
  await button(page, 'Auto-restart status').click()
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
})

test('the connect tab gives the command for each way in', async ({ page, enter }) => {
  await enter('/projects/storefront/instances/shop-a/connect')
  await expect(page.getByText(/ssh \[username\]@203\.0\.113\.\d+/)).toBeVisible()
  await button(page, 'CLI Command').click()
  await expect(dialog(page, 'CLI command')).toContainText(
    /serial console\s.*--project storefront\s.*--instance shop-a/,
  )
})
