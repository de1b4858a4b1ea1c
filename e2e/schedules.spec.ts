/** Schedules of a project. */
import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  pick,
  row,
  textbox,
} from './support/actions.ts'
import { expectState, makeDisk, makeInstance, openIn } from './support/prepare.ts'
import { expect, test } from './support/world.ts'

test('a person stops all machines with a tag every evening, tries it, and changes it', async ({
  page,
  own,
  api,
}) => {
  const project = await own('evening')
  for (const name of ['one', 'two']) await makeInstance(api, { project, name, start: true })
  await api.instanceTagsChange({
    params: { instance: 'one' },
    query: { project },
    body: { set: { shift: 'day' } },
  })
  await openIn(page, project, 'schedules')
  await page.getByRole('link', { name: 'New schedule' }).first().click()
  const form = dialog(page, 'Create schedule')
  await textbox(form, 'Name').fill('evening')
  const tag = form.getByRole('combobox', { name: 'Tag' })
  await tag.fill('-shift')
  await tag.press('Tab')
  await button(form, 'Create schedule').click()
  await expect(form.getByText('A key begins with a letter or digit', { exact: false })).toBeVisible()
  await tag.fill('shift=night')
  await tag.press('Tab')
  await expect(form.getByText('No instance has this tag now.', { exact: false })).toBeVisible()
  await tag.fill('sh')
  await expect(page.getByRole('option', { name: 'shift', exact: true })).toBeVisible()
  await tag.fill('shift=')
  await page.getByRole('option', { name: 'shift=day' }).click()
  await expect(form.getByText('It is for 1 instance now.')).toBeVisible()
  await button(form, 'Create schedule').click()
  await expectToast(page, 'Schedule evening created')
  await expectPath(page, `/projects/${project}/schedules`)
  await expect(row(page, 'evening')).toContainText('Stop instances with the tag shift=day')
  await expect(row(page, 'evening')).toContainText('Every day at 7:00 PM')

  await fromRow(page, 'evening', 'Run now')
  await expectToast(page, 'Schedule evening runs: 1 instance')
  await expectState(api, { project, name: 'one' }, 'stopped')
  await expectState(api, { project, name: 'two' }, 'running')

  await fromRow(page, 'evening', 'Edit')
  const edit = dialog(page, 'Edit schedule')
  await edit.getByRole('radio', { name: /^Named instances/ }).check({ force: true })
  await button(edit, 'Update schedule').click()
  await expect(edit.getByText('Choose instances, or name a tag')).toBeVisible()
  await edit.getByRole('combobox', { name: 'Add instance' }).fill('two')
  await page.getByRole('option', { name: 'two' }).click()
  await expect(edit.getByRole('table', { name: 'Instances' })).toContainText('two')
  await edit.getByRole('checkbox', { name: 'Pause the schedule' }).check({ force: true })
  await button(edit, 'Update schedule').click()
  await expectToast(page, 'Schedule evening updated')
  await expect(row(page, 'evening')).toContainText('Stop 1 instance')
  await expect(row(page, 'evening')).toContainText('paused')
  await fromRow(page, 'evening', 'Delete')
  await confirm(page, 'Delete schedule')
  await expect(row(page, 'evening')).toBeHidden()
})

test('a person keeps daily and weekly snapshots of all disks with a tag, and sees what is kept', async ({
  page,
  own,
  api,
}) => {
  const project = await own('nightly')
  for (const name of ['ledger', 'scratch']) await makeDisk(api, project, name)
  await api.diskTagsChange({
    params: { disk: 'ledger' },
    query: { project },
    body: { set: { env: 'prod' } },
  })
  await openIn(page, project, 'schedules-new')
  const form = dialog(page, 'Create schedule')
  await textbox(form, 'Name').fill('nightly')
  await form.getByRole('radio', { name: 'Take snapshots' }).check({ force: true })
  await form.getByRole('radio', { name: /^Disks with a tag/ }).check({ force: true })
  await form.getByRole('combobox', { name: 'Tag' }).fill('env=prod')
  await form.getByRole('combobox', { name: 'Tag' }).press('Tab')
  for (const [label, count] of [
    ['Daily', '0'],
    ['Weekly', '0'],
  ] as const)
    await textbox(form, label).fill(count)
  await button(form, 'Create schedule').click()
  await expect(form.getByText('Keep at least one snapshot of a class')).toBeVisible()
  await textbox(form, 'Daily').fill('7')
  const preview = form.getByRole('group', { name: 'Preview' })
  await expect(preview).toContainText('Of the last 7 days with a snapshot, the last one of each is kept.')
  await expect(preview).toContainText('In the long run, 7 snapshots of each disk, the oldest 6 days older')
  await expect(preview).toContainText(/Next runs: \w{3} \w{3} \d+, \d{4}, 7:00\sPM/)
  await button(form, 'Create schedule').click()
  await expectToast(page, 'Schedule nightly created')
  await expect(row(page, 'nightly')).toContainText('Take snapshots of disks with the tag env=prod')
  await fromRow(page, 'nightly', 'Run now')
  await expectToast(page, 'Schedule nightly runs: 1 disk')
  await openIn(page, project, 'snapshots')
  const taken = row(page, /^ledger-nightly-\d{8}-\d{6}$/)
  await taken.getByRole('link', { name: /^ledger-nightly-/ }).click()
  await expect(dialog(page, 'Snapshot')).toContainText(/Made by\s*nightly/)
  await button(dialog(page, 'Snapshot'), 'Close').first().click()
  await taken.getByRole('link', { name: 'nightly', exact: true }).click()
  await expectPath(page, `/projects/${project}/schedules/nightly/edit`)
})

test('a person keeps snapshots of named disks from a first run on', async ({ page, own, api }) => {
  const project = await own('hourly')
  for (const name of ['ledger', 'scratch']) await makeDisk(api, project, name)
  await openIn(page, project, 'schedules-new')
  const form = dialog(page, 'Create schedule')
  await textbox(form, 'Name').fill('hourly')
  await form.getByRole('radio', { name: 'Take snapshots' }).check({ force: true })
  await form.getByRole('radio', { name: /^Named disks/ }).check({ force: true })
  await form.getByRole('combobox', { name: 'Add disk' }).fill('ledger')
  await page.getByRole('option', { name: 'ledger' }).click()
  await expect(form.getByRole('table', { name: 'Disks' })).toContainText('ledger')
  await pick(page, form, 'Runs', 'Every few hours')
  await form.getByLabel('First run').fill('2040-01-02T03:00')
  await button(form, 'Create schedule').click()
  await expectToast(page, 'Schedule hourly created')
  await expect(row(page, 'hourly')).toContainText('Take snapshots of 1 disk')
  await expect(row(page, 'hourly')).toContainText('Jan 2, 2040')
  await fromRow(page, 'hourly', 'Run now')
  await expectToast(page, 'Schedule hourly runs: 1 disk')
  const { items } = await api.snapshotList({ query: { project } })
  expect(items.map(({ name }) => name)).toEqual([expect.stringMatching(/^ledger-hourly-/)])
})

test('a person finds schedules, pauses some together, and deletes them', async ({ page, own, api }) => {
  const project = await own('several')
  const rule = { type: 'daily', time: '03:00' } as const
  for (const name of ['mornings', 'evenings', 'nights'])
    await api.scheduleCreate({
      query: { project },
      body: { name, description: '', action: 'stop', tag: 'env', rule },
    })
  await openIn(page, project, 'schedules')
  const choose = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click()
  for (const name of ['mornings', 'evenings']) await choose(name)
  await button(page, 'Pause').click()
  await expectToast(page, '2 schedules paused')
  for (const name of ['mornings', 'evenings']) await expect(row(page, name)).toContainText('paused')
  await fromRow(page, 'mornings', 'Resume')
  await expectToast(page, 'Schedule mornings resumed')
  await openIn(page, project, 'schedules?find=evenings')
  await expect(row(page, 'evenings')).toContainText('paused')
  await expect(row(page, 'nights')).toBeHidden()
  await openIn(page, project, 'schedules')
  for (const name of ['mornings', 'evenings', 'nights']) await choose(name)
  await button(page, 'Delete').click()
  await confirm(page, 'Delete 3 schedules')
  await expectToast(page, '3 schedules deleted')
  await expect(page.getByText('No schedules', { exact: true })).toBeVisible()
})
