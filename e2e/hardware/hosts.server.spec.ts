import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  go,
  menuItem,
  properties,
  textbox,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

// Needs a separate site: a host joins it.
test.use({ siteOf: 'hosts' })

const list = '/system/inventory/hosts'
const operator = 'tariq-aziz'
const program = fileURLToPath(new URL('../../tools/host.ts', import.meta.url))

let folder = ''
let child: ChildProcess | undefined
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'purlin-host-'))
})
test.afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('an operator adds a host, runs an instance there, and sees when the host is silent', async ({
  page,
  enter,
  api,
}) => {
  await enter(list, operator)
  await button(page, 'Add host').first().click()
  await button(dialog(page, 'Add host'), 'Create code').click()
  const made = dialog(page, 'Join code created')
  const command = await textbox(made, 'Command').inputValue()
  const code = /--join '(.+)'$/.exec(command)?.[1] ?? ''
  await button(made, 'Close').last().click()
  await expect(page.getByRole('table', { name: 'Join codes' }).getByRole('row')).toHaveCount(2)

  const flags = ['--join', code, '--simulated', '2', '--listen', '127.0.0.1:0', '--data-dir', folder]
  child = spawn(process.execPath, [program, ...flags], { stdio: 'ignore' })
  const hosts = page.getByRole('table', { name: 'Hosts' })
  await expect(hosts).toContainText('up')
  await expect(page.getByRole('table', { name: 'Join codes' })).toHaveCount(0)

  const found = page.getByRole('table', { name: 'New sleds' })
  const added = found.getByRole('row').filter({ hasText: 'PRR-' }).first()
  await button(added, 'Add sled').click()
  await confirm(page, 'Add sled')
  await expect(hosts.getByRole('link')).toHaveCount(1)
  const { sledIds: [sledId = ''] = [], version = '' } = (await api.hostList({ query: {} })).items[0] ?? {}
  expect(version).toMatch(/^\d/)
  await expect(hosts).toContainText(version)
  await hosts.getByRole('link').click()
  await page.getByRole('tab', { name: 'Host', exact: true }).click()
  await expect(page.getByText(version, { exact: true })).toBeVisible()
  await properties(page)
    .getByRole('link', { name: /^127\.0\.0\.1:[0-9]+$/ })
    .click()
  await expectPath(page, list)

  for (const { id, policy } of (await api.sledList({ query: {} })).items)
    if (id !== sledId && policy.kind === 'in_service')
      await api.sledSetProvisionPolicy({ params: { sledId: id }, body: { state: 'non_provisionable' } })
  await enter('/projects', 'hanna-okafor')
  const query = { project: 'there' }
  await api.projectCreate({ body: { name: 'there', description: '' } })
  const { id: instance } = await api.instanceCreate({
    query,
    body: {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: 2 ** 30,
      networkInterfaces: { type: 'none' },
    },
  })
  const state = async () => (await api.instanceView({ params: { instance }, query: {} })).runState
  await expect.poll(state).toBe('running')
  const running = async () =>
    (await api.sledInstanceList({ params: { sledId }, query: {} })).items
      .filter((one) => one.state === 'running')
      .map(({ name }) => name)

  await enter(list, operator)
  child.kill('SIGSTOP')
  await expect(hosts).toContainText('silent')
  expect(await running()).toEqual(['web'])
  child.kill('SIGCONT')
  await expect(hosts).toContainText('up')
  await button(hosts, 'Row actions').click()
  await expectDisabled(menuItem(page, 'Forget'), /sleds are in service/)
})

test('an operator revokes a code, and a viewer of the fleet may not add hosts', async ({
  page,
  enter,
  api,
}) => {
  await enter(list, operator)
  await api.hostJoinCodeCreate({ body: {} })
  await go(page, list)
  await button(page.getByRole('table', { name: 'Join codes' }), 'Revoke').click()
  await confirm(page, 'Revoke join code')
  await expect(page.getByText(/^Join code .* revoked$/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Join codes' })).toHaveCount(0)
  await enter(list, 'victor-hale')
  await expectDisabled(button(page, 'Add host').first(), /requires the admin role on the fleet/)
})
