import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  find,
  fromRow,
  pick,
  row,
  textbox,
  withoutEvents,
  undo,
} from '../support/actions.ts'
import { makeFloatingIp, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const tab = (project: string) => `/projects/${project}/vpcs/default/firewall-rules`
const openRules = (page: Page, project: string) => openIn(page, project, 'vpcs/default/firewall-rules')
const namesIn = (page: Page) =>
  page.getByRole('table', { name: 'Firewall rules' }).locator('tbody tr th').allInnerTexts()

test('a person opens a port, closes it for a while and for good', async ({ page, own }) => {
  const project = await own('ports')
  await openRules(page, project)
  await page.getByRole('link', { name: 'New rule' }).click()
  const form = dialog(page, 'Create firewall rule')
  await textbox(form, 'Name').fill('allow-web')
  await button(form, 'Create firewall rule').click()
  await expect(form.getByText('Add a target, or choose all instances')).toBeVisible()
  const targets = form.getByRole('group', { name: 'Targets', exact: true })
  await find(page, targets, 'VPC name', 'lab')
  await expect(form.getByText('A rule of default can name no other VPC')).toBeVisible()
  await find(page, targets, 'VPC name', 'default')
  await expect(form.getByRole('table', { name: 'Targets' })).toContainText('default')
  await expect(form.getByText('This rule has no filters')).toBeVisible()

  await textbox(form, 'Port filters').fill('80-70000')
  await button(form, 'Add port filter').click()
  await expect(form.getByText('Not a valid port range')).toBeVisible()
  await textbox(form, 'Port filters').fill('443')
  await textbox(form, 'Port filters').press('Enter')
  await textbox(form, 'Port filters').fill('443')
  await expect(form.getByText('Port range already added')).toBeVisible()
  await textbox(form, 'Port filters').press('Enter')
  await expect(textbox(form, 'Port filters')).toHaveValue('')
  await expect(form.getByText('Port range already added')).toBeHidden()
  await textbox(form, 'Port filters').fill('8000-8080')
  await button(form, 'Create firewall rule').click()
  await expect(form.getByText('Add this to the list, or clear it')).toBeVisible()
  await button(form, 'Add port filter').click()
  await pick(page, form, 'Protocol filters', 'ICMP')
  await button(form, 'Add protocol filter').click()
  await button(form, 'Create firewall rule').click()
  await expect(form.getByText('ICMP has no ports')).toBeVisible()
  await pick(page, form, 'Protocol filters', 'TCP')
  await button(form, 'Add protocol filter').click()
  await expect(form.getByText('This rule has no filters')).toBeHidden()
  await button(form, 'Create firewall rule').click()
  await expectToast(page, 'Firewall rule allow-web created')
  await expectPath(page, tab(project))
  await expect(row(page, 'allow-web')).toContainText('+3')
  await button(row(page, 'allow-web'), '+3').hover()
  await expect(page.getByRole('tooltip')).toContainText('Other filters')
  await expect(page.getByRole('tooltip')).toContainText('8000-8080')

  await fromRow(page, 'allow-web', 'Disable')
  await expectToast(page, 'Firewall rule allow-web disabled')
  await expect(row(page, 'allow-web')).toContainText('Disabled')
  await undo(page)
  await expectToast(page, 'Firewall rule allow-web enabled again')
  await expect(row(page, 'allow-web')).toContainText('Enabled')
  await fromRow(page, 'allow-web', 'Delete')
  await confirm(page, 'Delete firewall rule')
  await expectToast(page, 'Firewall rule allow-web deleted')
  await expect(row(page, 'allow-web')).toBeHidden()
  await expect(row(page, 'allow-ssh')).toBeVisible()
})

test('the reason of a refusal is in sight wherever the form stands', async ({ page, own, troubles }) => {
  troubles.allow(/^400 PUT/)
  const project = await own('refused')
  await page.setViewportSize({ width: 1440, height: 600 })
  await openRules(page, project)
  await page.getByRole('link', { name: 'New rule' }).click()
  const form = dialog(page, 'Create firewall rule')
  await textbox(form, 'Name').fill('refused')
  await form.getByRole('radio', { name: /all instances/i }).check({ force: true })
  const message = 'an instance of the rule has just been deleted'
  await page.route(/\/v1\/vpc-firewall-rules/, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 400, json: { message } }) : route.continue(),
  )
  await button(form, 'Add protocol filter').scrollIntoViewIfNeeded()
  await expect(textbox(form, 'Name')).not.toBeInViewport()
  await button(form, 'Create firewall rule').click()
  await expect(form.getByRole('alert').getByText('An instance of the rule')).toBeInViewport({ ratio: 1 })
})

test('the form of a rule says which instances it opens and closes', async ({ page, own, api }) => {
  const project = await own('effects')
  for (const name of ['web', 'db']) await makeInstance(api, { project, name })
  await openRules(page, project)
  await page.getByRole('link', { name: 'New rule' }).click()
  const form = dialog(page, 'Create firewall rule')
  const effect = form.getByRole('region', { name: 'Effect on instances' })
  await expect(effect).toContainText('Choose its targets.')
  await form.getByRole('radio', { name: 'Deny' }).check({ force: true })
  const targets = form.getByRole('group', { name: 'Targets', exact: true })
  await pick(page, targets, 'Target type', 'Instance')
  // A name that nothing has is refused where it is typed; the list of targets stays as it is.
  await find(page, targets, 'Instance name', 'wbe')
  await expect(targets.getByText('No instance of the project is called wbe')).toBeVisible()
  await expect(form.getByRole('table', { name: 'Targets' })).toBeHidden()
  await pick(page, targets, 'Target type', 'VPC subnet')
  await find(page, targets, 'VPC subnet name', 'front')
  await expect(targets.getByText('No subnet of default is called front')).toBeVisible()
  await pick(page, targets, 'Target type', 'Instance')
  await find(page, targets, 'Instance name', 'web')
  await expect(effect).toContainText('Closes traffic of 1 instance.')
  await expect(effect.getByRole('listitem')).toHaveText('Closesall traffic from everything in the VPC')
  await textbox(form, 'Port filters').fill('22')
  await textbox(form, 'Port filters').press('Enter')
  await expect(effect).toContainText('TCP 22, UDP 22 from everything in the VPC')
  await textbox(form, 'Priority').fill('')
  await expect(effect).toContainText('Enter a valid priority.')
  await form.getByRole('radio', { name: 'Allow' }).check({ force: true })
  await textbox(form, 'Priority').fill('10')
  await expect(effect).toContainText('Nothing changes')
})

test('a person clones a rule, narrows the copy and has it evaluated first', async ({ page, own, api }) => {
  const project = await own('clone')
  await openRules(page, project)
  await expect.poll(() => namesIn(page)).toEqual(['allow-icmp', 'allow-internal-inbound', 'allow-ssh'])
  await fromRow(page, 'allow-ssh', 'Clone')
  const form = dialog(page, 'Create firewall rule')
  await expect(textbox(form, 'Name')).toHaveValue('allow-ssh-copy')
  await expect(form.getByRole('table', { name: 'Port filters' })).toContainText('22')
  await expect(form.getByRole('table', { name: 'Host filters' })).toBeHidden()
  await textbox(form, 'Name').fill('allow-ssh')
  await button(form, 'Create firewall rule').click()
  await expect(form.getByText('Name taken. To update an existing rule, edit it directly.')).toBeVisible()
  await textbox(form, 'Name').fill('office-ssh')
  await pick(page, form, 'Host type', /^IP$/)
  await textbox(form, 'IP address').fill('192.0.2.0/33')
  await button(form, 'Add host filter').click()
  await expect(form.getByText('Not a valid IP address')).toBeVisible()
  await pick(page, form, 'Host type', 'IP subnet')
  await expect(textbox(form, 'IP network')).toHaveValue('192.0.2.0/33')
  await button(form, 'Add host filter').click()
  await expect(form.getByText('Max width for IPv4 is 32')).toBeVisible()
  await textbox(form, 'IP network').fill('192.0.2.0/24')
  await button(form, 'Add host filter').click()
  // The type stays for the next entry, and lines that are pasted are entries of one list.
  const network = textbox(form, 'IP network')
  await network.evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '198.51.100.0/24\n203.0.113.0/24\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(network).toHaveValue('198.51.100.0/24 203.0.113.0/24')
  await network.press('Enter')
  await expect(form.getByRole('table', { name: 'Host filters' }).getByRole('row')).toHaveCount(4)
  await button(form, 'Create firewall rule').click()
  await expectToast(page, 'Firewall rule office-ssh created')
  await expect
    .poll(() => namesIn(page))
    .toEqual(['allow-icmp', 'allow-internal-inbound', 'allow-ssh', 'office-ssh'])
  await fromRow(page, 'office-ssh', 'Move up')
  await expect
    .poll(() => namesIn(page))
    .toEqual(['allow-icmp', 'allow-internal-inbound', 'office-ssh', 'allow-ssh'])

  await row(page, 'office-ssh').getByRole('link', { name: 'office-ssh' }).click()
  await expectPath(page, `${tab(project)}/office-ssh/edit`)
  const edit = dialog(page, 'Edit firewall rule')
  await textbox(edit, 'Priority').fill('100')
  await button(edit, 'Update firewall rule').click()
  await expectToast(page, 'Firewall rule office-ssh updated')
  await expect.poll(async () => (await namesIn(page))[0]).toBe('office-ssh')

  const query = { project, vpc: 'lab' }
  const [ssh] = (await api.vpcFirewallRulesView({ query: { project, vpc: 'default' } })).rules
  await api.vpcCreate({ query: { project }, body: { name: 'lab', description: '', dnsName: 'lab' } })
  const to = [{ type: 'instance' as const, value: 'gone' }]
  await api.vpcFirewallRulesUpdate({ query, body: { rules: [{ ...ssh!, name: 'office-ssh', targets: to }] } })
  await button(page, 'Clone rules').click()
  const copy = dialog(page, 'Clone firewall rules')
  await find(page, copy, 'VPC', 'lab')
  const preview = copy.getByRole('table', { name: 'What changes in lab' })
  await expect(row(preview, 'office-ssh')).toContainText('Replaced')
  await expect(row(preview, 'allow-icmp')).toContainText('Added')
  await expect(copy.getByRole('status')).toHaveText('3 added, 1 replaced')
  await button(copy, 'Clone firewall rules').click()
  await expectToast(page, 'Firewall rules of VPC default copied to VPC lab')
  const { rules } = await api.vpcFirewallRulesView({ query })
  expect(rules.map(({ name }) => name)).toContain('allow-icmp')
  expect(JSON.stringify(rules)).toContain('"value":"lab"')
  expect(JSON.stringify(rules)).not.toContain('"value":"default"')
  await undo(page)
  await expectToast(page, 'VPC lab has the firewall rules that it had before')
  expect((await api.vpcFirewallRulesView({ query })).rules.map(({ name }) => name)).toEqual(['office-ssh'])
})

test('a concurrent change of another user is neither lost nor overwritten', async ({ page, api, own }) => {
  const project = await own('both')
  const query = { project, vpc: 'default' }
  await openRules(page, project)
  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  const form = dialog(page, 'Edit firewall rule')
  await textbox(form, 'Description').fill('For administrators')
  const change = async (name: string, priority: number) => {
    const { rules } = await api.vpcFirewallRulesView({ query })
    const changed = rules.map((rule) => (rule.name === name ? { ...rule, priority } : rule))
    await api.vpcFirewallRulesUpdate({ query, body: { rules: changed } })
  }
  await change('allow-icmp', 7)
  await change('allow-ssh', 8)
  await button(form, 'Update firewall rule').click()
  await expectToast(page, 'Firewall rule allow-ssh updated')
  await expect(row(page, 'allow-icmp')).toContainText('7')
  await expect(row(page, 'allow-ssh')).toContainText('8')

  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  await expect(textbox(form, 'Description')).toHaveValue('For administrators')
  await textbox(form, 'Priority').fill('10')
  await change('allow-ssh', 9)
  await button(form, 'Update firewall rule').click()
  await expect(form.getByText('Another user has changed the rule allow-ssh (priority)').first()).toBeVisible()
})

test('a form opens with what another user has changed since it was opened before', async ({
  page,
  api,
  own,
}) => {
  await withoutEvents(page)
  const project = await own('opened')
  const query = { project, vpc: 'default' }
  await openRules(page, project)
  const link = row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' })
  const form = dialog(page, 'Edit firewall rule')
  await link.click()
  await expect(textbox(form, 'Priority')).toHaveValue('65534')
  await button(form, 'Cancel').click()
  await expect(form).toBeHidden()
  const { rules } = await api.vpcFirewallRulesView({ query })
  await api.vpcFirewallRulesUpdate({
    query,
    body: { rules: rules.map((rule) => (rule.name === 'allow-ssh' ? { ...rule, priority: 12 } : rule)) },
  })
  await link.click()
  await expect(textbox(form, 'Priority')).toHaveValue('12')
})

test('a rule that another user has changed is not deleted, and keeps the change when disabled', async ({
  page,
  api,
  own,
}) => {
  await withoutEvents(page)
  const project = await own('seen')
  const query = { project, vpc: 'default' }
  const { rules } = await api.vpcFirewallRulesView({ query })
  const change = (priority: number) =>
    api.vpcFirewallRulesUpdate({
      query,
      body: { rules: rules.map((rule) => (rule.name === 'allow-ssh' ? { ...rule, priority } : rule)) },
    })
  await openRules(page, project)
  await expect(row(page, 'allow-ssh')).toContainText('65534')
  await change(9)
  await fromRow(page, 'allow-ssh', 'Delete')
  const question = dialog(page, 'Delete firewall rule')
  await expect(question).toContainText('Another user has changed')
  await button(question, 'Cancel').click()
  await expect(namesIn(page)).resolves.toContain('allow-ssh')
  await change(11)
  await fromRow(page, 'allow-ssh', 'Disable')
  await expectToast(page, 'Firewall rule allow-ssh disabled')
  await expect(row(page, 'allow-ssh')).toContainText('11')
  await expect(row(page, 'allow-ssh')).toContainText('Disabled')
  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  const shown = dialog(page, 'Edit firewall rule').getByRole('group', { name: 'Properties table' })
  for (const label of ['ID', 'Created', 'Updated']) await expect(shown).toContainText(label)
})

test('a rule that can do nothing says why', async ({ page, api, own }) => {
  const project = await own('idle')
  const query = { project, vpc: 'default' }
  const { rules } = await api.vpcFirewallRulesView({ query })
  const [first] = rules
  if (!first) throw new Error('a VPC begins with rules')
  const targets = [{ type: 'instance', value: 'missing' } as const]
  const body = { rules: [...rules, { ...first, name: 'for-missing', targets }] }
  await api.vpcFirewallRulesUpdate({ query, body })
  await openRules(page, project)
  await expect(row(page, 'for-missing')).toContainText('No effect')
  await button(row(page, 'for-missing'), 'No effect').hover()
  await expect(page.getByRole('tooltip')).toContainText('None of its targets exists')
  await row(page, 'for-missing').getByRole('link', { name: 'for-missing' }).click()
  // It can still be edited as it is.
  const edit = dialog(page, 'Edit firewall rule')
  await expect(edit.getByText('not found')).toHaveClass(/text-danger/)
  await textbox(edit, 'Priority').fill('77')
  await button(edit, 'Update firewall rule').click()
  await expectToast(page, 'Firewall rule for-missing updated')
  await expect(row(page, 'for-missing')).toContainText('77')
})

test('a change that would cut off a running instance needs a confirmation first', async ({
  page,
  api,
  own,
}) => {
  const project = await own('cut')
  await makeInstance(api, { project, name: 'web', start: true })
  await makeFloatingIp(api, project, 'front', 'web')
  await openRules(page, project)
  await fromRow(page, 'allow-ssh', 'Disable')
  const question = dialog(page, 'Change firewall rules')
  await expect(question).toContainText('web: It loses SSH from anywhere outside')
  await button(question, 'Cancel').click()
  await expect(row(page, 'allow-ssh')).toContainText('Enabled')

  await fromRow(page, 'allow-ssh', 'Delete')
  await expect(dialog(page, 'Delete firewall rule')).toContainText('web: It loses SSH from anywhere outside')
  await page.keyboard.press('Escape')
  await row(page, 'allow-ssh').getByRole('link', { name: 'allow-ssh' }).click()
  const form = dialog(page, 'Edit firewall rule')
  await form.getByRole('radio', { name: 'Deny' }).check()
  await button(form, 'Update firewall rule').click()
  await expect(question).toContainText('web: It loses SSH from anywhere outside')
  await confirm(page, 'Change firewall rules')
  await expectToast(page, 'Firewall rule allow-ssh updated')
  await expect(row(page, 'allow-ssh')).toContainText('Deny')
})
