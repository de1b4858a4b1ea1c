import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, makeInstance, makeSnapshot, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const generated = (disk: string) => new RegExp(`^${disk}-[0-9a-f]{6}$`)
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const createSnapshot = (page: Page) => dialog(page, 'Create snapshot')

test('a person takes a snapshot of a disk and makes another disk of it', async ({ page, api, own }) => {
  const project = await own('snaps')
  await makeDisk(api, project, 'ledger')
  await openIn(page, project, 'disks')
  await fromRow(page, 'ledger', 'Snapshot')
  const form = createSnapshot(page)
  await expect(form).toContainText('of ledger')
  await expect(textbox(form, 'Name')).toHaveValue(generated('ledger'))
  await textbox(form, 'Name').fill('year-end')
  await textbox(form, 'Description').fill('Books closed')
  await button(form, 'Create snapshot').click()
  await expectToast(page, 'Snapshot year-end created')
  await expectPath(page, `/projects/${project}/disks`)
  await link(page, 'View snapshots').click()
  await expect(row(page, 'year-end')).toContainText('Books closed')
  await expect(row(page, 'year-end')).toContainText('ready')
  await link(page, 'ledger').click()
  await expect(dialog(page, 'Disk')).toContainText('Blank')

  await openIn(page, project, 'disks-new')
  const create = dialog(page, 'Create disk')
  await textbox(create, 'Name').fill('copy')
  await create.getByRole('radio', { name: /^Snapshot/ }).check()
  await textbox(create, 'Size (GiB)').fill('1')
  await create.getByRole('button', { name: /Source snapshot/ }).click()
  await expect(page.getByRole('option', { name: 'year-end' })).toContainText(
    /^year-endCreated on .+ from ledger \/ 2 GiB$/,
  )
  await page.getByRole('option', { name: 'year-end' }).click()
  await expect(textbox(create, 'Size (GiB)')).toHaveValue('10')
  await textbox(create, 'Size (GiB)').fill('1')
  await button(create, 'Create disk').click()
  await expect(create.getByText('Must be as large as selected snapshot (min. 2 GiB)')).toBeVisible()
  await textbox(create, 'Size (GiB)').fill('2')
  await button(create, 'Create disk').click()
  await expectToast(page, 'Disk copy created')
  await row(page, 'copy').getByRole('link', { name: 'year-end', exact: true }).click()
  await expectPath(page, `/projects/${project}/snapshots/year-end`)
  await expect(dialog(page, 'Snapshot')).toContainText('Books closed')
})

test('the form on the snapshots page requires a name and a disk, and keeps both after an error', async ({
  page,
  api,
  troubles,
  own,
}) => {
  troubles.allow(/^400 POST \/v1\/snapshots/)
  const project = await own('snaps')
  await makeDisk(api, project, 'ledger')
  await makeSnapshot(api, project, { name: 'taken', disk: 'ledger' })
  await openIn(page, project, 'snapshots')
  await link(page, 'New snapshot').click()
  const form = createSnapshot(page)
  await button(form, 'Create snapshot').click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await expect(form.getByText('Disk is required')).toBeVisible()
  await textbox(form, 'Name').fill('taken')
  await find(page, form, 'Disk', 'ledger')
  await button(form, 'Create snapshot').click()
  await expect(form.getByRole('alert')).toContainText('Snapshot name already exists')
  await textbox(form, 'Name').fill('free')
  await button(form, 'Create snapshot').click()
  await expectToast(page, 'Snapshot free created')
  await expect(row(page, 'free')).toContainText('ledger')
})

test('a snapshot outlives its disk; deleting it says what was made from it', async ({ page, api, own }) => {
  const project = await own('snaps')
  const query = { project }
  await makeDisk(api, project, 'ledger')
  const { id: snapshotId, size } = await makeSnapshot(api, project, { name: 'year-end', disk: 'ledger' })
  await api.diskDelete({ params: { disk: 'ledger' }, query })
  const diskSource = { type: 'snapshot', snapshotId } as const
  await api.diskCreate({ query, body: { name: 'copy', description: '', size, diskSource } })
  await openIn(page, project, 'snapshots')
  await expect(row(page, 'year-end')).toContainText('Deleted')
  await openRowMenu(page, 'year-end')
  await expectDisabled(menuItem(page, 'Roll disk back'), /^Its disk was deleted/)
  await menuItem(page, 'Delete').click()
  await expect(dialog(page, 'Delete snapshot')).toContainText('One disk was created from it: copy.')
  await button(dialog(page, 'Delete snapshot'), 'Cancel').click()
  await expect(row(page, 'year-end')).toBeVisible()
  await fromRow(page, 'year-end', 'Delete')
  await confirm(page, 'Delete snapshot')
  await expectToast(page, 'Snapshot year-end deleted')
  await expect(page.getByText('No snapshots', { exact: true })).toBeVisible()
  await openIn(page, project, 'disks')
  await expect(row(page, 'copy')).toContainText('Snapshot deleted')
})

test('a person makes an image of a snapshot', async ({ page, api, troubles, own }) => {
  troubles.allow(/^400 POST \/v1\/images/)
  const project = await own('snaps')
  await makeDisk(api, project, 'golden')
  await makeSnapshot(api, project, { name: 'golden-1', disk: 'golden' })
  await openIn(page, project, 'snapshots')
  for (const again of [false, true]) {
    await fromRow(page, 'golden-1', 'Create image')
    const form = dialog(page, 'Create image from snapshot')
    await expect(form).toContainText('2 GiB')
    await expect(textbox(form, 'Name')).toHaveValue('golden-1')
    await button(form, 'Create image').click()
    await expect(form.getByText('OS is required')).toBeVisible()
    await expect(form.getByText('Version is required')).toBeVisible()
    await textbox(form, 'Description').fill('Ready to boot')
    await textbox(form, 'OS').fill('plan9')
    await textbox(form, 'Version').fill('4')
    await button(form, 'Create image').click()
    if (again) {
      await expect(form.getByRole('alert')).toContainText('Image name already exists')
      await expect(textbox(form, 'OS')).toHaveValue('plan9')
    } else await expectToast(page, 'Image golden-1 created')
  }
  await button(dialog(page, 'Create image from snapshot'), 'Cancel').click()
  await button(dialog(page, 'Confirm navigation'), 'Leave form').click()
  await openIn(page, project, 'images')
  for (const text of ['Ready to boot', 'plan9', '2 GiB'])
    await expect(row(page, 'golden-1')).toContainText(text)
})

test('on the page of an instance a disk shows its details and gets its snapshot', async ({
  page,
  api,
  own,
}) => {
  const project = await own('snaps')
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'instances/web/storage')
  await link(page, 'web-boot').click()
  await expect(dialog(page, 'Disk')).toContainText('4096 B')
  await page.keyboard.press('Escape')
  await expectPath(page, `/projects/${project}/instances/web/storage`)
  await fromRow(page, 'web-boot', 'Snapshot')
  const form = createSnapshot(page)
  await expect(textbox(form, 'Name')).toHaveValue(generated('web-boot'))
  const name = await textbox(form, 'Name').inputValue()
  await button(form, 'Create snapshot').click()
  await expectToast(page, `Snapshot ${name} created`)
  await expect(heading(page, 'web')).toBeVisible()
  await openIn(page, project, 'snapshots')
  await expect(row(page, name)).toContainText('web-boot')
})

test('a new instance gets a disk made of a snapshot', async ({ page, api, own }) => {
  const project = await own('snaps')
  await makeDisk(api, project, 'ledger')
  await makeSnapshot(api, project, { name: 'year-end', disk: 'ledger' })
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await page.getByRole('checkbox', { name: 'Start instance' }).uncheck()
  await page.getByRole('tab', { name: 'Existing disks' }).click()
  await find(page, page, 'Disk', 'ledger')
  await button(page, 'Create new disk').click()
  const form = dialog(page, 'Create disk')
  await textbox(form, 'Name').fill('copy')
  await form.getByRole('radio', { name: /^Snapshot/ }).check()
  await pick(page, form, 'Source snapshot', 'year-end')
  await button(form, 'Create disk').click()
  await button(page, 'Create instance').click()
  const others = page.getByRole('table', { name: 'Additional disks' })
  await expect(row(others, 'copy').getByRole('link', { name: 'year-end', exact: true })).toBeVisible()
})
