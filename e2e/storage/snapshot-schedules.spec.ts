import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectToast,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person lets snapshots of a disk be made regularly, changes the schedule and ends it', async ({
  page,
  api,
  own,
}) => {
  const project = await own('schedules')
  await makeDisk(api, project, 'ledger')
  await openIn(page, project, 'disks/ledger')
  const part = dialog(page, 'Disk').getByRole('region', { name: 'Snapshot schedule' })
  await expect(part).toContainText('No snapshots are made regularly.')
  await button(part, 'Set schedule').click()
  const form = dialog(page, 'Set snapshot schedule')
  await expect(form).toContainText('They use up to 16 GiB of the storage quota.')
  await textbox(form, 'Snapshots to keep').fill('3')
  await expect(form).toContainText('They use up to 8 GiB of the storage quota.')
  await textbox(form, 'Every').fill('')
  await button(form, 'Set schedule').click()
  await expect(form).toContainText('Every is required')
  await textbox(form, 'Every').fill('6')
  await pick(page, form, 'Unit', 'Hours')
  const zone = form.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('Nowhere')
  await page.keyboard.press('Tab')
  await button(form, 'Set schedule').click()
  await expect(form).toContainText('Choose a time zone, such as Europe/Berlin')
  await zone.fill('Europe/Berlin')
  await page.keyboard.press('Tab')
  await button(form, 'Set schedule').click()
  await expectToast(page, 'Snapshot schedule of ledger set')
  await expect(form).toBeHidden()
  for (const text of ['Every 6 hours', 'Europe/Berlin', '3 snapshots', 'hanna-okafor'])
    await expect(part).toContainText(text)
  // The first one is made at once.
  await expect(part.getByText('Last run').locator('..').getByRole('time')).toBeVisible()

  await button(part, 'Change').click()
  const change = dialog(page, 'Change snapshot schedule')
  await expect(textbox(change, 'Every')).toHaveValue('6')
  await change.getByRole('checkbox', { name: 'Pause the schedule' }).check()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Snapshot schedule of ledger changed')
  await expect(part).toContainText('Paused')

  await button(part, 'Delete schedule').click()
  await confirm(page, 'Delete snapshot schedule')
  await expectToast(page, 'Snapshot schedule of ledger deleted')
  await expect(part).toContainText('No snapshots are made regularly.')

  await openIn(page, project, 'snapshots')
  const made = row(page, /^ledger-\d{8}-\d{6}$/)
  await expect(made).toContainText('by schedule')
  await expect(made).toContainText('Made by the snapshot schedule of disk "ledger"')
  await made.getByRole('link', { name: /^ledger-\d/ }).click()
  await expect(dialog(page, 'Snapshot')).toContainText('by schedule')
})

test('a failed run says why until one succeeds', async ({ page, api, own }) => {
  const project = await own('schedules')
  await makeDisk(api, project, 'upload')
  const query = { project }
  const diskSource = { type: 'importing_blocks', blockSize: 512 } as const
  const size = 2 ** 30
  await api.diskCreate({ query, body: { name: 'arriving', description: '', size, diskSource } })
  const at = { params: { disk: 'arriving' }, query }
  await api.diskSnapshotScheduleUpdate({ ...at, body: { everyHours: 24, keep: 2 } })
  await openIn(page, project, 'disks/arriving')
  const part = dialog(page, 'Disk').getByRole('region', { name: 'Snapshot schedule' })
  await expect(part).toContainText('The last run has failed')
  await expect(part).toContainText('The disk is import ready')
  await api.diskFinalizeImport({ ...at, body: {} })
  await api.diskSnapshotScheduleUpdate({ ...at, body: { everyHours: 24, keep: 2 } })
  await expect(part).not.toContainText('The last run has failed')
})

test('a viewer sees the schedule and cannot change it', async ({ page, enter }) => {
  await enter('/projects/telemetry/disks', 'mei-tanaka')
  await page.getByRole('link', { name: 'ingest-gateway-boot', exact: true }).click()
  const part = dialog(page, 'Disk').getByRole('region', { name: 'Snapshot schedule' })
  for (const text of ['Every day', '7 snapshots', 'hanna-okafor']) await expect(part).toContainText(text)
  for (const name of ['Change', 'Delete schedule'])
    await expectDisabled(button(part, name), /requires the collaborator role on the project/)
})
