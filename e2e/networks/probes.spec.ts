import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const operator = 'tariq-aziz'

test('an operator with a role on a project places a probe, looks at it, and deletes it', async ({
  page,
  enter,
  api,
  own,
  troubles,
}) => {
  troubles.allow(/^400 POST \/experimental\/v1\/probes/)
  // The pointer rests on the row that is deleted elsewhere.
  troubles.allow(/^404 GET \/experimental\/v1\/probes\/second/)
  const project = await own('probed')
  const list = `/projects/${project}/probes`
  const { items } = await api.userList({ query: { limit: 100 } })
  const identityId = items.find(({ displayName }) => displayName === operator)?.id ?? ''
  const roles = (roleAssignments: Parameters<typeof api.projectPolicyUpdate>[0]['body']['roleAssignments']) =>
    api.projectPolicyUpdate({ params: { project }, body: { roleAssignments } })
  await roles([{ identityType: 'silo_user', identityId, roleName: 'collaborator' }])

  await enter(`/projects/${project}/instances`, operator)
  await page.getByRole('link', { name: 'Probes', exact: true }).click()
  await expectPath(page, list)
  await expect(page.getByText('No probes', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'New probe' }).first().click()
  const form = dialog(page, 'Create probe')
  await button(form, 'Create probe').click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await expect(form.getByText('Sled is required')).toBeVisible()
  await textbox(form, 'Name').fill('edge')
  await pick(page, form, 'Sled', 'PRS26140017')
  await pick(page, form, 'IP pool', 'office')
  await button(form, 'Create probe').click()
  await expectToast(page, 'Probe edge created')
  await expect(row(page, 'edge')).toContainText('PRS26140017')
  await expect(row(page, 'edge')).toContainText('172.30.0.5')
  await expect(row(page, 'edge')).toContainText(/10\.90\.4\.\d+/)

  await page.getByRole('link', { name: 'New probe' }).click()
  await textbox(form, 'Name').fill('edge')
  await pick(page, form, 'Sled', 'PRS26140017')
  await button(form, 'Create probe').click()
  await expect(form.getByText('Name already exists', { exact: true })).toBeVisible()
  await textbox(form, 'Name').fill('second')
  await button(form, 'Create probe').click()
  await expect(row(page, 'second')).toContainText(/203\.0\.113\.\d+/)

  await row(page, 'edge').getByRole('link', { name: 'edge' }).click()
  await expectPath(page, `${list}/edge`)
  const panel = dialog(page, 'Probe')
  await expect(panel).toContainText('172.30.0.0/22')
  await button(panel, 'Close').last().click()
  await fromRow(page, 'edge', 'Delete')
  await confirm(page, 'Delete probe')
  await expectToast(page, 'Probe edge deleted')
  await expect(row(page, 'edge')).toHaveCount(0)
  await api.probeDelete({ params: { probe: 'second' }, query: { project } })
  await expect(page.getByText('No probes', { exact: true })).toBeVisible()
  await enter('/projects')
  await api.projectDelete({ params: { project } })
})

test('an operator without the role of an admin looks at probes only', async ({ page, enter }) => {
  const needs = /requires the admin role on the fleet/
  await enter('/projects/telemetry/probes', 'uma-krishnan')
  await expect(row(page, 'edge-check')).toContainText('172.30.0.')
  await expectDisabled(button(page, 'New probe'), needs)
  await openRowMenu(page, 'edge-check')
  await expectDisabled(menuItem(page, 'Delete'), needs)
})

test('members of the project see where a probe is, and no page of probes', async ({ page, enter }) => {
  await enter('/projects/telemetry/vpcs/default/topology?view=list')
  await expect(page.getByRole('table', { name: 'Probes' })).toContainText('edge-check')
  await expect(page.getByRole('table', { name: 'Subnets' })).toContainText('1 probe')
  await expect(page.getByRole('link', { name: 'Probes', exact: true })).toHaveCount(0)
  await enter('/projects/telemetry/probes')
  await expect(heading(page, 'Page not found')).toBeVisible()
})
