import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
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
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const makeWeb = async (api: Client<Operations>, project: string) => {
  await makeDisk(api, project, 'data')
  await makeInstance(api, { project, name: 'web', disks: ['data'] })
}

test('a person takes a snapshot of an instance and rolls the instance back to it', async ({
  page,
  api,
  own,
}) => {
  const project = await own('wholes')
  await makeWeb(api, project)
  await openIn(page, project, 'instances')
  await fromRow(page, 'web', 'Snapshot')
  const form = dialog(page, 'Snapshot instance')
  await expect(textbox(form, 'Name')).toHaveValue(/^web-[0-9a-f]{6}$/)
  await textbox(form, 'Name').fill('n'.repeat(47))
  await button(form, 'Snapshot instance').click()
  await expect(form.getByText('Must be 46 characters or fewer')).toBeVisible()
  await textbox(form, 'Name').fill('monday')
  await button(form, 'Snapshot instance').click()
  await expectToast(page, 'Instance snapshot monday created')
  await page.getByRole('link', { name: 'View snapshots' }).click()
  await expectPath(page, `/projects/${project}/instances/web/snapshots`)
  await expect(heading(page, 'web')).toBeVisible()
  await expect(row(page, 'monday')).toContainText('monday-data')
  await expect(row(page, 'monday')).toContainText('ready')

  await openRowMenu(page, 'monday')
  await menuItem(page, 'Roll instance back').click()
  await confirm(page, 'Roll instance back')
  await expectToast(page, 'Instance web has the content of snapshot monday again')
  await expect(row(page, /^before-monday-/)).toContainText('ready')

  await openIn(page, project, 'snapshots')
  await expect(row(page, 'monday-web-boot')).toContainText('part of monday')
  await row(page, 'monday-web-boot').getByRole('link', { name: 'monday', exact: true }).click()
  await expectPath(page, `/projects/${project}/instances/web/snapshots`)
})

test('an instance that runs or has other disks is not rolled back, and the menu says why', async ({
  page,
  api,
  own,
}) => {
  const project = await own('wholes')
  const query = { project }
  await makeWeb(api, project)
  const body = { name: 'monday', description: '' }
  await api.instanceSnapshotCreate({ query: { project, instance: 'web' }, body })
  await api.instanceDiskDetach({ params: { instance: 'web' }, query, body: { disk: 'data' } })
  await openIn(page, project, 'instances/web/snapshots')
  await openRowMenu(page, 'monday')
  await menuItem(page, 'Roll instance back').hover()
  await expect(page.getByText('The disk is not attached any more: monday-data')).toBeVisible()
  await page.keyboard.press('Escape')
  await fromRow(page, 'monday', 'Delete')
  const question = dialog(page, 'Delete instance snapshot')
  await expect(question).toContainText('monday-data, monday-web-boot')
  await confirm(page, 'Delete instance snapshot')
  await expectToast(page, 'Instance snapshot monday deleted')
  await expect(page.getByText('No snapshots of the instance')).toBeVisible()
})

test('a person renames one, gives it tags and protects it, filters the list and deletes the others', async ({
  page,
  api,
  own,
}) => {
  const project = await own('wholes')
  await makeWeb(api, project)
  const ofWeb = { project, instance: 'web' }
  for (const name of ['monday', 'tuesday', 'sunday'])
    await api.instanceSnapshotCreate({ query: ofWeb, body: { name, description: '' } })
  await openIn(page, project, 'instances/web/snapshots')
  await fromRow(page, 'sunday', 'Edit')
  const form = dialog(page, 'Edit instance snapshot')
  await textbox(form, 'Name').fill('week-1')
  await textbox(form, 'Description').fill('the first week')
  await textbox(form, 'Tags').fill('kept=year')
  await form.getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await button(form, 'Update instance snapshot').click()
  await expectToast(page, 'Instance snapshot week-1 updated')
  const kept = row(page, 'week-1')
  await expect(kept.getByRole('img', { name: 'Protected from deletion' })).toBeVisible()
  await expect(kept).toContainText('the first week')
  expect(
    await api.instanceSnapshotView({ params: { instanceSnapshot: 'week-1' }, query: ofWeb }),
  ).toMatchObject({ protected: true, tags: { kept: 'year' } })
  await openRowMenu(page, 'week-1')
  await expectDisabled(menuItem(page, 'Delete'), /^It is protected from deletion/)
  await page.keyboard.press('Escape')
  await kept.getByRole('link', { name: 'kept=year' }).click()
  await expect(row(page, 'monday')).toBeHidden()
  await expect(row(page, 'week-1')).toBeVisible()
  // Their tags are among those that a filter offers.
  const search = page.getByRole('combobox', { name: 'Search snapshots of the instance' })
  await search.fill('')
  await expect(row(page, 'monday')).toBeVisible()
  await search.pressSequentially('tag:ke')
  await page.getByRole('option', { name: 'tag:kept=', exact: true }).click()
  await page.getByRole('option', { name: 'tag:kept=year', exact: true }).click()
  await expect(row(page, 'monday')).toBeHidden()
  await expect(row(page, 'week-1')).toBeVisible()

  await openIn(page, project, 'instances/web/snapshots')
  for (const name of ['monday', 'tuesday', 'week-1'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await button(page, 'Delete').click()
  const question = dialog(page, 'Delete 2 instance snapshots')
  await expect(question).toContainText('1 instance snapshot of the selection')
  await confirm(page, 'Delete 2 instance snapshots')
  await expect(row(page, 'monday')).toBeHidden()
  await expect(row(page, 'tuesday')).toBeHidden()
  await expect(row(page, 'week-1')).toBeVisible()
})
