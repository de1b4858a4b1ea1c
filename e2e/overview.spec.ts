import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  go,
  heading,
  jumpTo,
  row,
} from './support/actions.ts'
import { makeDisk, makeInstance, makeProject, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('an overview says what has failed and what is under way, while it changes', async ({
  page,
  api,
  own,
}) => {
  const project = await own('watched')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'overview')
  await expect(page.getByText(/^Nothing is in progress/)).toBeVisible()
  const contents = page.getByRole('region', { name: 'Contents' })
  await api.instanceStart({ params: { instance: 'web' }, query: { project } })
  await expect(contents.getByRole('link', { name: /^running/ })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'started instance web' })).toBeVisible()
  await go(page, '/projects/telemetry/overview')
  const failed = page.getByRole('listitem').filter({ hasText: 'query-failed' })
  await expect(failed).toContainText('the guest stopped answering its hypervisor')
  await failed.getByRole('link', { name: 'query-failed' }).click()
  await expectPath(page, '/projects/telemetry/instances/query-failed/storage')
})

test('a person deletes what nothing uses, and protected ones stay', async ({ page, api, own }) => {
  const project = await own('unused')
  await makeInstance(api, { project, name: 'web' })
  for (const name of ['old-1', 'old-2', 'keep']) await makeDisk(api, project, name)
  await api.diskUpdate({ params: { disk: 'keep' }, query: { project }, body: { protected: true } })
  await openIn(page, project, 'overview')
  await expect(page.getByRole('main').getByRole('link', { name: 'Clean up' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expectPath(page, `/projects/${project}/clean-up/disks`)
  await expect(heading(page, 'Clean Up')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Disks (3)' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select keep' })).toBeDisabled()
  await expect(row(page, 'keep')).toContainText('protected')
  await expect(row(page, 'keep')).toContainText('not known')
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await button(page, 'Delete').click()
  await expect(dialog(page, 'Delete 2 disks')).toContainText('old-2')
  await confirm(page, 'Delete 2 disks')
  await expect(page.getByRole('tab', { name: 'Disks (1)' })).toBeVisible()
  await expect(row(page, 'old-1')).toBeHidden()
  await page.getByRole('tab', { name: /^Instances/ }).click()
  await expect(page.getByText('No unused instances')).toBeVisible()
})

test('an operator sees first what is wrong in the fleet, what is under way and what was changed', async ({
  page,
  enter,
  api,
}) => {
  await enter('/system', 'tariq-aziz')
  await expectPath(page, '/system/overview')
  const line = (text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })
  await expect(line(/^critical/).first()).toContainText('does not answer')
  await expect(line(/ is failing: /)).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Memory' })).toBeVisible()

  const { items: sleds } = await api.sledList({ query: {} })
  const sled = sleds.find(({ missingSince }) => !missingSince)
  const at = { params: { sledId: sled?.id ?? '' } }
  await api.sledMaintenanceStart({ ...at, body: {} })
  const serial = sled?.baseboard.serial ?? ''
  await expect(line(`Maintenance of ${serial}`)).toContainText(/It is empty|could not be moved/)
  await expect(line(`started maintenance of sled ${serial}`)).toContainText('tariq-aziz')
  await line(`Maintenance of ${serial}`).getByRole('link').click()
  await expectPath(page, `/system/inventory/sleds/${at.params.sledId}/maintenance`)
  await api.sledMaintenanceEnd(at)
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Silos' })
    .click()
  await expectPath(page, '/system/silos')
})

test('a person sees what is in a project, and the instances of all projects', async ({ page, api, own }) => {
  const project = await own('seen')
  const other = await makeProject(api, 'second')
  const name = `here-${project}`
  const away = `there-${project}`
  await Promise.all([makeInstance(api, { project, name }), makeInstance(api, { project: other, name: away })])
  await makeDisk(api, project, 'spare')

  await openIn(page, project, 'overview')
  await expect(heading(page, 'Overview')).toBeVisible()
  const contents = page.getByRole('region', { name: 'Contents' })
  await expect(contents.getByRole('link', { name: /^Instances 1$/ })).toBeVisible()
  await expect(contents.getByRole('link', { name: /^VPCs 1$/ })).toBeVisible()
  await expect(page.getByText('Nothing is wrong. No resource of this project has failed.')).toBeVisible()
  await expect(page.getByText(/^Nothing runs out\./)).toBeVisible()
  await expect(page.getByRole('meter', { name: 'CPU' })).toBeVisible()
  const made = page.getByRole('listitem').filter({ hasText: 'created disk spare' })
  await expect(made).toContainText('hanna-okafor')
  await expect(made.getByRole('link', { name: 'spare' })).toBeVisible()
  await page.getByRole('link', { name: 'All activity' }).click()
  await expectPath(page, `/projects/${project}/activity`)
  await expect(row(page, /Created instance/)).toContainText(name)
  await fromRow(page, /Created instance/, 'Only this operation')
  await expectPath(page, `/projects/${project}/activity?operation=instance_create`)
  await expect(row(page, /Created disk/)).toBeHidden()
  await button(page, 'Clear filters').click()
  await expect(row(page, /Created disk/)).toContainText('spare')
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Overview' })
    .click()
  await jumpTo(page, 'Activity')
  await expectPath(page, `/projects/${project}/activity`)
  await openIn(page, project, 'overview')
  await contents.getByRole('list', { name: 'Disks by state' }).getByRole('link', { name: 'detached' }).click()
  await expect(row(page, 'spare')).toBeVisible()
  await expect(page.getByRole('button', { name: /^detached/, pressed: true })).toBeVisible()

  await go(page, `/instances?find=${project}`)
  await expect(row(page, name)).toContainText(project)
  await expect(row(page, away)).toContainText(other)
  await expect(page.getByText('1–2 of 2')).toBeVisible()
  await fromRow(page, away, 'Start')
  await expectToast(page, `Starting instance ${away}`)
  await expect(row(page, away)).toContainText('running')
  const all = page.getByRole('checkbox', { name: 'Select all rows' })
  await all.check()
  await button(page, 'Start').click()
  await expect(dialog(page, 'Start 1 instance')).toContainText(
    '1 instance of the selection is in another state',
  )
  await confirm(page, 'Start 1 instance')
  await expect(row(page, name)).toContainText('running')
  await all.check()
  await button(page, 'Stop').click()
  await expect(dialog(page, 'Stop 2 instances')).toContainText(away)
  await confirm(page, 'Stop 2 instances')
  for (const one of [name, away]) await expect(row(page, one)).toContainText('stopped')
  await row(page, away).getByRole('link', { name: other }).click()
  await expectPath(page, `/projects/${other}/instances`)
})
