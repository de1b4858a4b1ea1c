import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const subnets = 'vpcs/default/subnets'

test('a person isolates two subnets: each gets a router that drops what is for the other', async ({
  page,
  own,
}) => {
  const project = await own('apart')
  await openIn(page, project, subnets)
  const create = dialog(page, 'Create subnet')
  for (const [name, block] of [
    ['front', '10.1.0.0/24'],
    ['back', '10.2.0.0/24'],
  ] as const) {
    await page.getByRole('link', { name: 'New subnet' }).click()
    await textbox(create, 'Name').fill(name)
    await textbox(create, 'IPv4 block').fill(block)
    await pick(page, create, 'Custom router', 'New router')
    await textbox(create, 'Router name').fill(`${name}-only`)
    await button(create, 'Create subnet').click()
    await expectToast(page, `Subnet ${name} created`)
    await expectPath(page, `/projects/${project}/${subnets}`)
    await expect(row(page, name)).toContainText(block)
    await expect(row(page, name)).toContainText(`${name}-only`)
  }
  const create2 = dialog(page, 'Create route')
  for (const [name, other] of [
    ['front', 'back'],
    ['back', 'front'],
  ] as const) {
    await openIn(page, project, subnets)
    await row(page, name)
      .getByRole('link', { name: `${name}-only` })
      .click()
    await expectPath(page, `/projects/${project}/vpcs/default/routers/${name}-only`)
    await page.getByRole('link', { name: 'New route' }).first().click()
    await textbox(create2, 'Name').fill(`not-to-${other}`)
    await pick(page, create2, 'Destination type', 'Subnet')
    await create2.getByRole('combobox', { name: 'Destination value' }).fill(other)
    await page.getByRole('option', { name: other, exact: true }).click()
    await pick(page, create2, 'Target type', 'Drop')
    await expect(create2.getByText('Target value')).toHaveCount(0)
    await button(create2, 'Create route').click()
    await expectToast(page, `Route not-to-${other} created`)
    await expect(row(page, `not-to-${other}`)).toContainText('Drop')
  }
})

test('blocks that the VPC cannot have are refused before they are sent', async ({ page, own, api }) => {
  const project = await own('blocks')
  await openIn(page, project, `${subnets}-new`)
  const create = dialog(page, 'Create subnet')
  await textbox(create, 'Name').fill('web')
  await button(create, 'Create subnet').click()
  await expect(create.getByText('IPv4 block is required')).toBeVisible()
  for (const [block, complaint] of [
    ['8.8.8.0/24', 'Must be within 10.0.0.0/8'],
    ['10.0.0.0/27', 'Width must be between 8 and 26'],
    ['10.0.0.9/24', 'Must be the first address of its block: 10.0.0.0/24'],
    ['172.30.1.0/24', 'Overlaps with 172.30.0.0/22 of subnet default'],
  ] as const) {
    await textbox(create, 'IPv4 block').fill(block)
    await expect(create.getByText(complaint)).toBeVisible()
  }
  await textbox(create, 'IPv4 block').fill('10.0.0.0/24')
  await textbox(create, 'IPv6 block').fill('fd00::/48')
  await expect(create.getByText('Width must be 64')).toBeVisible()
  await textbox(create, 'IPv6 block').fill('')
  await button(create, 'Create subnet').click()
  await expectToast(page, 'Subnet web created')
  const query = { project, vpc: 'default' }
  const { ipv4Block, ipv6Block } = await api.vpcSubnetView({ params: { subnet: 'web' }, query })
  expect(ipv4Block).toBe('10.0.0.0/24')
  expect(ipv6Block).toMatch(/^fd.*::\/64$|^fd.*\/64$/)
})

test('a subnet gets a router, loses it, and is renamed', async ({ page, own, api }) => {
  const project = await own('edits')
  const query = { project, vpc: 'default' }
  await api.vpcRouterCreate({ query, body: { name: 'side', description: '' } })
  await openIn(page, project, subnets)
  await fromRow(page, 'default', 'Edit')
  const edit = dialog(page, 'Edit subnet')
  await expect(edit).toContainText('172.30.0.0/22')
  await pick(page, edit, 'Custom router', 'side')
  await button(edit, 'Update subnet').click()
  await expectToast(page, 'Subnet default updated')
  await expect(row(page, 'default')).toContainText('side')
  await fromRow(page, 'default', 'Edit')
  await pick(page, edit, 'Custom router', 'None')
  const target = { type: 'subnet' as const, value: 'default' }
  const { rules } = await api.vpcFirewallRulesView({ query })
  const body = { ...rules[0]!, name: 'to-default', targets: [target] }
  await api.vpcFirewallRulesUpdate({ query, body: { rules: [...rules, body] } })
  await textbox(edit, 'Name').fill('main')
  await expect(edit).toContainText('These references will be updated')
  await expect(edit).toContainText('Firewall rules: to-default')
  await textbox(edit, 'Description').fill('Where all begins')
  await button(edit, 'Update subnet').click()
  await expectToast(page, 'Subnet main updated')
  await expect(row(page, 'main')).toContainText('Where all begins')
  await expect(row(page, 'main')).not.toContainText('side')
  await fromRow(page, 'main', 'Delete')
  const question = dialog(page, 'Delete subnet')
  await expect(question).toContainText('This reference in VPC default')
  await expect(question).toContainText('firewall rule to-default: It will have no effect')
  await question.getByRole('link', { name: 'to-default' }).click()
  await expect(question).toBeHidden()
  await expect(row(page, 'to-default')).toHaveAttribute('aria-current', 'true')
  await expect(row(page, 'to-default')).toContainText('main')
})

test('a subnet with interfaces says which instances must go first, an empty one is deleted', async ({
  page,
  own,
  api,
}) => {
  const project = await own('taken')
  await makeInstance(api, { project, name: 'web' })
  const query = { project, vpc: 'default' }
  const body = { name: 'spare', description: '', ipv4Block: '10.0.0.0/24' }
  await api.vpcSubnetCreate({ query, body })
  await openIn(page, project, subnets)
  await fromRow(page, 'default', 'Delete')
  const question = dialog(page, 'Delete subnet')
  await expect(question).toContainText('It cannot be deleted while')
  await expectDisabled(confirmButton(question), 'This subnet cannot be deleted now')
  await question.getByRole('link', { name: 'web' }).click()
  await expectPath(page, `/projects/${project}/instances/web/networking`)
  await expect(question).toBeHidden()
  await openIn(page, project, subnets)
  await fromRow(page, 'spare', 'Delete')
  await confirm(page, 'Delete subnet')
  await expectToast(page, 'Subnet spare deleted')
  await expect(row(page, 'spare')).toHaveCount(0)
})
