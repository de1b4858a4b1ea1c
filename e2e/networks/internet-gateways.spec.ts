import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const gateways = 'vpcs/default/internet-gateways'

test('a person takes the way out from a VPC and gives it back', async ({ page, own, api }) => {
  const project = await own('out')
  await makeInstance(api, { project, name: 'web', start: true })
  await openIn(page, project, gateways)
  await expect(row(page, 'default')).toContainText('public-v4')
  await row(page, 'default').getByRole('link', { name: 'default', exact: true }).click()
  const panel = dialog(page, 'Internet gateway')
  await expect(panel).toContainText('No address is attached')
  await expect(panel.getByRole('table', { name: 'Routes targeting this gateway' })).toContainText(
    'default-v4',
  )

  await button(panel, 'Detach default').click()
  const question = dialog(page, 'Detach IP pool')
  await expect(question).toContainText('web')
  await confirm(page, 'Detach IP pool')
  await expectToast(page, 'IP pool default detached')
  await expect(panel).toContainText('No IP pool is attached')
  const reach = () =>
    api
      .instanceReachability({ params: { instance: 'web' }, query: { project } })
      .then(({ outbound }) => outbound.result)
  expect(await reach()).toBe('drop')

  await button(panel, 'Attach IP pool').click()
  const attach = dialog(page, 'Attach IP pool')
  await pick(page, attach, 'IP pool', 'public-v4')
  await expect(textbox(attach, 'Name')).toHaveValue('public-v4')
  await button(attach, 'Attach').click()
  await expectToast(page, 'IP pool public-v4 attached')
  await expect(button(panel, 'Detach public-v4')).toBeVisible()
  expect(await reach()).toBe('pass')
})

test('a gateway is made, gets an address and a route, and is deleted with both', async ({
  page,
  own,
  api,
}) => {
  const project = await own('second')
  const query = { project, vpc: 'default' }
  await api.vpcRouterCreate({ query, body: { name: 'side', description: '' } })
  await openIn(page, project, gateways)
  await page.getByRole('link', { name: 'New internet gateway' }).click()
  const create = dialog(page, 'Create internet gateway')
  await textbox(create, 'Name').fill('partner')
  await button(create, 'Create internet gateway').click()
  await expectToast(page, 'Internet gateway partner created')
  await expectPath(page, `/projects/${project}/${gateways}/partner`)
  const panel = dialog(page, 'Internet gateway')
  await expect(panel).toContainText('No VPC router routes target this gateway.')
  await button(panel, 'Attach IP address').click()
  const attach = dialog(page, 'Attach IP address')
  await textbox(attach, 'IP address').fill('203.0.113')
  await button(attach, 'Attach').click()
  await expect(attach.getByText('Not a valid IP address')).toBeVisible()
  await textbox(attach, 'IP address').fill('203.0.113.7')
  await textbox(attach, 'Name').fill('theirs')
  await button(attach, 'Attach').click()
  await expectToast(page, 'IP address theirs attached')
  await expect(panel).toContainText('203.0.113.7')

  await openIn(page, project, 'vpcs/default/routers/side/routes-new')
  const route = dialog(page, 'Create route')
  await textbox(route, 'Name').fill('to-partner')
  await pick(page, route, 'Destination type', 'IP network')
  await textbox(route, 'Destination value').fill('198.51.100.0/24')
  await pick(page, route, 'Target type', 'Internet gateway')
  await find(page, route, 'Target value', 'partner')
  await button(route, 'Create route').click()
  await expectToast(page, 'Route to-partner created')
  await row(page, 'to-partner').getByRole('link', { name: 'partner', exact: true }).click()
  const table = panel.getByRole('table', { name: 'Routes targeting this gateway' })
  await expect(table).toContainText('to-partner')
  await table.getByRole('link', { name: 'side' }).click()
  await expectPath(page, `/projects/${project}/vpcs/default/routers/side`)

  await openIn(page, project, gateways)
  await expect(row(page, 'partner')).toContainText('203.0.113.7')
  await expect(row(page, 'partner').getByRole('link', { name: '1', exact: true })).toBeVisible()
  await fromRow(page, 'partner', 'Delete')
  await expect(dialog(page, 'Delete internet gateway')).toContainText('1 attached IP address, 1 route')
  await confirm(page, 'Delete internet gateway')
  await expectToast(page, 'Internet gateway partner deleted')
  await openIn(page, project, 'vpcs/default/routers/side')
  await expect(page.getByText('No routes', { exact: true })).toBeVisible()
})

test('a viewer sees what is attached and why it cannot be changed', async ({ page, enter }) => {
  await enter('/projects/telemetry/vpcs/default/internet-gateways', 'rosa-lima')
  const reason = /^This requires the collaborator role on the project/
  await expectDisabled(button(page, 'New internet gateway'), reason)
  await row(page, 'default').getByRole('link', { name: 'default', exact: true }).click()
  await expectDisabled(button(dialog(page, 'Internet gateway'), 'Attach IP pool'), reason)
})
