import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import {
  button,
  confirm,
  dialog,
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
