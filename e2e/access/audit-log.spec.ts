import {
  button,
  dialog,
  expectPath,
  find,
  fromRow,
  jumpTo,
  menuItem,
  options,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('an auditor finds who deleted a disk, sees the entry in full, and exports what was found', async ({
  page,
  api,
  own,
}) => {
  const project = await own('audited')
  await makeDisk(api, project, 'ledger')
  await api.diskDelete({ params: { disk: 'ledger' }, query: { project } })
  await openIn(page, project, 'disks')
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click()
  await page.getByRole('link', { name: 'Silo Access' }).click()
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await expectPath(page, '/access/audit-log')

  // It is gone, and still found by its name.
  await find(page, page, 'Object', 'ledger')
  await expect(page).toHaveURL(/object=ledger/)
  await expect(row(page, 'Deleted disk')).toContainText('hanna-okafor')
  await expect(row(page, 'Deleted disk')).toContainText('done')
  await expect(row(page, 'Created disk')).toHaveCount(1)

  await page.getByRole('link', { name: 'Deleted disk' }).click()
  const entry = dialog(page, 'Audit log entry')
  await expect(entry).toContainText('204')
  await expect(entry).toContainText('disk_delete')
  await expect(entry.getByRole('listitem')).toContainText('ledgerdeleted')
  await button(entry, 'Close').last().click()

  await fromRow(page, 'Deleted disk', 'Only this operation')
  await expect(row(page, 'Created disk')).toHaveCount(0)
  const operation = page.getByRole('combobox', { name: 'Operation', exact: true })
  await expect(operation).toHaveValue('Deleted disk')
  await operation.fill('ed snaps')
  await expect(page.getByRole('option', { name: 'Deleted snapshot', exact: true })).toBeVisible()
  await operation.fill('deleted disk')
  await page.getByRole('option', { name: 'Deleted disk', exact: true }).click()
  await expect(page).toHaveURL(/operation=disk_delete/)

  const downloaded = page.waitForEvent('download')
  await button(page, 'List options').click()
  await menuItem(page, 'As CSV').click()
  expect((await downloaded).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
  await button(page, 'List options').click()
  await page.getByRole('menuitemcheckbox', { name: 'Address' }).press('Enter')
  await page.keyboard.press('Escape')
  await button(page, 'List options').click()
  await menuItem(page, 'Saved views…').click()
  const views = dialog(page, 'Views of audit log entries')
  await textbox(views, 'Save the present view as').fill('ledger gone')
  await button(views, 'Save view').click()
  await expect(views.getByText('shown', { exact: true })).toBeVisible()
  await button(views, 'Close').click()
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  await jumpTo(page, 'View: ledger gone of Audit Log')
  await expect(page).toHaveURL(/\/access\/audit-log\?.*operation=disk_delete/)
  await expect(row(page, 'Deleted disk')).toContainText('hanna-okafor')
  await expect(page.getByRole('columnheader', { name: 'address' })).toBeHidden()
  await button(page, 'Clear filters').click()
  await expect(page).not.toHaveURL(/object=/)

  await pick(page, page, 'Kind', /^Project$/)
  await expect(page).toHaveURL(/kind=project/)
  const object = page.getByRole('combobox', { name: 'Object' })
  await object.click()
  await object.fill(project)
  await options(page)
    .filter({ hasText: `${project}project` })
    .click()
  await expect(page).toHaveURL(/object=[0-9a-f-]{36}/)
  // Projects of other journeys are gone from the list.
  await expect(row(page, 'Created project')).toHaveCount(1)
  await expect(row(page, 'Created project')).toContainText(project)
  await expect(row(page, 'Deleted disk')).toHaveCount(0)
  await expect(object).toHaveValue(project)
  await page.reload()
  await expect(object).toHaveValue(project)
  await button(page, 'Clear filters').click()
  await find(page, page, 'Actor', 'mei-tanaka')
  await expect(page).toHaveURL(/actor=/)
  await expect(row(page, 'Deleted disk')).toHaveCount(0)
})

test('words and fields of the audit log are the same filters', async ({ page, api, own }) => {
  const project = await own('worded')
  await makeDisk(api, project, 'typed-away')
  await api.diskDelete({ params: { disk: 'typed-away' }, query: { project } })
  await page.goto('/access/audit-log')
  const words = page.getByRole('combobox', { name: 'Search audit log' })
  await words.click()
  await words.pressSequentially('object:typed-away operation:disk_del')
  await page.getByRole('option', { name: 'operation:disk_delete', exact: true }).click()
  await expect(page).toHaveURL(/operation=disk_delete/)
  await expect(page.getByRole('combobox', { name: 'Operation', exact: true })).toHaveValue('Deleted disk')
  await expect(row(page, 'Deleted disk')).toHaveCount(1)
  await expect(row(page, 'Created disk')).toHaveCount(0)

  await words.fill('object:typed-away -operation:disk_delete ')
  await expect(page).toHaveURL(/filter=-operation/)
  await expect(row(page, 'Created disk')).toHaveCount(1)
  await expect(row(page, 'Deleted disk')).toHaveCount(0)
  await page.reload()
  await expect(words).toHaveValue(/^object:typed-away -operation:disk_delete$/)

  await words.fill('result:odd ')
  await expect(page.getByText('result is one of success, error, unknown')).toBeVisible()
})

test('live tail shows what others do', async ({ page, api, own }) => {
  const project = await own('tailed')
  await openIn(page, project, 'disks')
  await page.getByRole('link', { name: 'Projects', exact: true }).first().click()
  await page.getByRole('link', { name: 'Silo Access' }).click()
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await button(page, 'Live tail').click()
  await expect(button(page, 'Stop live tail')).toBeVisible()
  await makeDisk(api, project, 'seen-at-once')
  await expect(page.getByRole('row').filter({ hasText: 'seen-at-once' })).toBeVisible()
})

test('the address of the audit log holds the time that is chosen, without the former position', async ({
  page,
  enter,
}) => {
  const time = page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: /Time/ })
  await enter('/access/audit-log?at=150')
  await expect(page.getByRole('table', { name: 'Audit log' })).toBeVisible()
  await time.click()
  await options(page).filter({ hasText: /^All$/ }).click()
  await expectPath(page, '/access/audit-log?last=all')
  await page.reload()
  await expect(time).toContainText('All')
  await expectPath(page, '/access/audit-log?last=all')
})
