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
  await expect(page.getByText('Nothing in this project has failed.')).toBeVisible()
  await expect(page.getByRole('meter', { name: 'CPU' })).toBeVisible()
  await expect(row(page, /Created disk/)).toContainText('spare')
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
