import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  fromRow,
  heading,
  menuItem,
  openRowMenu,
  options,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { makeDisk, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person creates a blank disk and one from an image, looks at it and deletes it', async ({
  page,
  own,
}) => {
  const project = await own('store')
  await openIn(page, project, 'disks')
  await expect(page.getByText('No disks', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'New disk' }).first().click()
  const create = dialog(page, 'Create disk')
  await textbox(create, 'Name').fill('ledger')
  await textbox(create, 'Description').fill('Books of the year')
  await create.getByRole('radio', { name: '512', exact: true }).check()
  await textbox(create, 'Size (GiB)').fill('7')
  await button(create, 'Create disk').click()
  await expectToast(page, 'Disk ledger created')
  await expectPath(page, `/projects/${project}/disks`)
  await expect(row(page, 'ledger')).toContainText('7 GiB')
  await expect(row(page, 'ledger')).toContainText('detached')

  await page.getByRole('link', { name: 'New disk' }).first().click()
  await textbox(create, 'Name').fill('root')
  await create.getByRole('radio', { name: /^Image/ }).check()
  await button(create, 'Create disk').click()
  await expect(create.getByText('Source image is required')).toBeVisible()
  await textbox(create, 'Size (GiB)').fill('2')
  await pick(page, create, 'Source image', 'rocky-10')
  await expect(textbox(create, 'Size (GiB)')).toHaveValue('10')
  await button(create, 'Create disk').click()
  await expect(row(page, 'root')).toContainText('10 GiB')

  await page.getByRole('link', { name: 'ledger', exact: true }).click()
  const panel = dialog(page, 'Disk')
  await expect(panel).toContainText('Books of the year')
  await expect(panel).toContainText('512 B')
  await expect(panel).toContainText('Blank')
  await button(panel, 'Close').last().click()
  await fromRow(page, 'ledger', 'Clone')
  await expect(create).toContainText('Its data is not copied')
  await expect(textbox(create, 'Name')).toHaveValue('ledger-copy')
  await expect(textbox(create, 'Size (GiB)')).toHaveValue('7')
  await expect(create.getByRole('radio', { name: '512', exact: true })).toBeChecked()
  await button(create, 'Create disk').click()
  await expect(row(page, 'ledger-copy')).toContainText('7 GiB')
  await fromRow(page, 'ledger', 'Delete')
  await confirm(page, 'Delete disk')
  await expectToast(page, 'Disk ledger deleted')
  await expect(row(page, 'ledger')).toHaveCount(0)
})

test('the size of a disk has limits and a name is used once', async ({ page, api, troubles, own }) => {
  troubles.allow(/^400 POST \/v1\/disks/)
  const project = await own('limits')
  await makeDisk(api, project, 'ledger')
  await openIn(page, project, 'disks-new')
  const create = dialog(page, 'Create disk')
  const size = textbox(create, 'Size (GiB)')
  await size.fill('2000')
  await size.blur()
  await expect(size).toHaveValue('1023')
  await size.fill('')
  await textbox(create, 'Name').fill('ledger')
  await button(create, 'Create disk').click()
  await expect(create.getByText('Size is required')).toBeVisible()
  await size.fill('1')
  await button(create, 'Create disk').click()
  await expect(create.getByRole('alert')).toContainText('Disk name already exists')
  await expect(create.getByText('Name already exists', { exact: true })).toBeVisible()
})

test('an attached disk leads to its instance, which says what cannot be done before it is stopped', async ({
  page,
  enter,
}) => {
  await enter('/projects/storefront/disks')
  await openRowMenu(page, 'shop-a-boot')
  await expectDisabled(menuItem(page, 'Detach'), 'Boot disk must be unset before it can be detached')
  await expectDisabled(
    menuItem(page, 'Roll back'),
    'Instance shop-a must be stopped before its disk can be rolled back',
  )
  await menuItem(page, 'Delete').click()
  const question = dialog(page, 'Delete disk')
  await expect(question).toContainText('Boot disk must be unset before it can be detached.')
  await expectDisabled(confirmButton(question), 'This disk cannot be deleted now')
  await question.getByRole('link', { name: 'shop-a', exact: true }).click()
  await expectPath(page, '/projects/storefront/instances/shop-a/storage')
  await page.goBack()
  await expect(question).toBeHidden()
  await row(page, 'shop-a-boot').getByRole('link', { name: 'shop-a', exact: true }).click()
  await expect(heading(page, 'shop-a')).toBeVisible()
})

test('Escape closes an open list first, then asks about the form', async ({ page, enter }) => {
  await enter('/projects/storefront/disks-new')
  const create = dialog(page, 'Create disk')
  await create.getByRole('radio', { name: /^Image/ }).check()
  await create.getByRole('button', { name: /Source image/ }).click()
  await expect(options(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(create).toBeVisible()
  await expect(dialog(page, 'Confirm navigation')).toBeHidden()
  await page.keyboard.press('Escape')
  await button(dialog(page, 'Confirm navigation'), 'Leave form').click()
  await expect(create).toBeHidden()
})

test('several disks are deleted together, except those in use', async ({ page, api, own }) => {
  const project = await own('many')
  for (const name of ['one', 'two', 'three']) await makeDisk(api, project, name)
  await makeInstance(api, { project, name: 'web' })
  await openIn(page, project, 'disks')
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await box('one').click()
  await box('two').click({ modifiers: ['Shift'] })
  await expect(box('three')).toBeChecked()
  await expect(page.getByText(/^3 selected/)).toBeVisible()
  await box('three').uncheck()
  await box('web-boot').check()
  await expect(page.getByText('3 selected, 6 GiB')).toBeVisible()
  await button(page, 'Delete').click()
  await expect(dialog(page, 'Delete 2 disks').getByRole('listitem')).toHaveText([
    'one',
    'two',
    '1 attached: web-boot',
  ])
  await confirm(page, 'Delete 2 disks')
  await expectToast(page, '2 disks deleted')
  await expect(row(page, 'one')).toHaveCount(0)
  await expect(row(page, 'three')).toBeVisible()
  await expect(page.getByText(/selected,/)).toBeHidden()

  await fromRow(page, 'three', 'Delete')
  await confirm(page, 'Delete disk')
  await expect(row(page, 'three')).toHaveCount(0)
  // The keyboard continues where it was.
  await expect(row(page, 'web-boot').getByRole('link', { name: 'web-boot' })).toBeFocused()
})

test('disks are detached together; those that stay are named, and the others can be attached again', async ({
  page,
  api,
  own,
}) => {
  const project = await own('off')
  for (const name of ['data', 'logs', 'busy']) await makeDisk(api, project, name)
  await makeInstance(api, { project, name: 'web', disks: ['data', 'logs'] })
  await makeInstance(api, { project, name: 'db', disks: ['busy'], start: true })
  await openIn(page, project, 'disks')
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  for (const name of ['data', 'busy', 'web-boot']) await box(name).check()
  await button(page, 'Detach').click()
  const question = dialog(page, 'Detach 1 disk')
  await expect(question.getByRole('listitem')).toHaveText([
    '1 attached to an instance that is running: busy',
    '1 the boot disk of its instance: web-boot',
  ])
  await confirm(page, 'Detach 1 disk')
  await expect(row(page, 'data')).toContainText('detached')
  await expectToast(page, '1 disk detached')
  await button(page, 'Undo').click()
  await expectToast(page, '1 disk attached again')
  await expect(row(page, 'data')).toContainText('web')

  await openIn(page, project, 'instances/web/storage')
  await expect(page.getByRole('heading', { name: 'Additional disks' })).toBeVisible()
  for (const name of ['data', 'logs']) await box(name).check()
  await button(page, 'Detach').click()
  await expectToast(page, '2 disks detached')
  await expect(page.getByText('No other disks')).toBeVisible()
  await button(page, 'Undo').click()
  await expectToast(page, '2 disks attached again')
  await expect(row(page, 'logs')).toBeVisible()
})

test('disks are attached together to one instance; those that cannot be are named, and undo detaches them', async ({
  page,
  api,
  own,
}) => {
  const project = await own('on')
  for (const name of ['logs', 'data', 'spare']) await makeDisk(api, project, name)
  await makeInstance(api, { project, name: 'web' })
  await makeInstance(api, { project, name: 'db', disks: ['spare'] })
  await openIn(page, project, 'disks')
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await box('spare').check()
  await expect(button(page, 'Detach')).toBeVisible()
  await expect(button(page, 'Attach')).toBeHidden()
  for (const name of ['logs', 'data']) await box(name).check()
  await button(page, 'Attach').click()
  const attach = dialog(page, 'Attach disks')
  await expect(button(attach, 'Attach')).toHaveAttribute('aria-disabled', 'true')
  await attach.getByRole('combobox', { name: 'Instance' }).fill('web')
  await page.getByRole('option', { name: 'web' }).click()
  await expect(attach.getByText('data, logs')).toBeVisible()
  await expect(attach.getByRole('listitem')).toHaveText(['1 attached to another instance: spare'])
  await button(attach, 'Attach 2 disks').click()
  await expectToast(page, '2 disks attached')
  for (const name of ['data', 'logs']) await expect(row(page, name)).toContainText('web')
  const { items } = await api.instanceDiskList({ params: { instance: 'web' }, query: { project } })
  expect(items.map(({ name }) => name)).toEqual(['data', 'logs', 'web-boot'])
  await button(page, 'Undo').click()
  await expectToast(page, '2 disks detached again')
  await expect(row(page, 'data')).toContainText('detached')

  // The palette has the actions on the selected rows.
  for (const name of ['logs', 'data']) await box(name).check()
  await page.keyboard.press('ControlOrMeta+k')
  const palette = dialog(page, 'Quick actions')
  await palette.getByRole('combobox', { name: 'Search' }).fill('attach')
  await palette.getByRole('option', { name: 'Attach: 2 selected' }).click()
  await expect(attach).toBeVisible()
})

test('the panel of a disk closes when another user deletes the disk', async ({
  page,
  api,
  own,
  troubles,
}) => {
  // The data on screen are read once more under the former name.
  troubles.allow(/^404 GET /, /^ApiError: not found/)
  const project = await own('gone')
  await makeDisk(api, project, 'ledger')
  const stream = page.waitForRequest(/\/v1\/events\?/)
  await openIn(page, project, 'disks/ledger')
  await expect(dialog(page, 'Disk')).toContainText('ledger')
  await stream
  await api.diskDelete({ params: { disk: 'ledger' }, query: { project } })
  await expectToast(page, 'The disk ledger was deleted.')
  await expect(dialog(page, 'Disk')).toBeHidden()
  await expectPath(page, `/projects/${project}/disks`)
})

test('a person renames and protects a disk, which then cannot be deleted before the protection is removed', async ({
  page,
  own,
  api,
}) => {
  const project = await own('kept')
  await makeDisk(api, project, 'data')
  await openIn(page, project, 'disks')
  await fromRow(page, 'data', 'Edit')
  const edit = dialog(page, 'Edit disk')
  await textbox(edit, 'Name').fill('archive')
  await edit.getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await button(edit, 'Update disk').click()
  await expectToast(page, 'Disk archive updated')
  await openRowMenu(page, 'archive')
  await expectDisabled(menuItem(page, 'Delete'), /^It is protected from deletion/)
  await page.keyboard.press('Escape')
  await fromRow(page, 'archive', 'Edit')
  await edit.getByRole('checkbox', { name: 'Protect from deletion' }).uncheck()
  await button(edit, 'Update disk').click()
  await fromRow(page, 'archive', 'Delete')
  await confirm(page, 'Delete disk')
  await expect(page.getByText('No disks', { exact: true })).toBeVisible()
})

test('a person enlarges a disk and rolls it back to a snapshot, and keeps what it had', async ({
  page,
  own,
  api,
}) => {
  const project = await own('back')
  await makeDisk(api, project, 'data')
  await api.snapshotCreate({ query: { project }, body: { name: 'monday', description: '', disk: 'data' } })
  await openIn(page, project, 'disks')
  await fromRow(page, 'data', 'Enlarge')
  const grow = dialog(page, 'Enlarge disk')
  await expectDisabled(button(grow, 'Enlarge disk'), 'This is the present size')
  // The quota is larger than the disks of the sleds.
  await expect(grow).toContainText(/The hardware has .* of storage free. The quota leaves .* of storage/)
  await textbox(grow, 'Size (GiB)').fill('64')
  await button(grow, 'Enlarge disk').click()
  await expectToast(page, 'Disk data has 64 GiB now')
  await expect(row(page, 'data')).toContainText('64 GiB')
  await page.getByRole('link', { name: 'Snapshots', exact: true }).click()
  await fromRow(page, 'monday', 'Roll disk back')
  const back = dialog(page, 'Roll disk back')
  await expect(back).toContainText(/Needs 64 GiB. The hardware has .* The quota leaves .* of storage/)
  await textbox(back, 'Name of that snapshot').fill('tuesday')
  await button(back, 'Roll disk back').click()
  await expectToast(page, 'Disk data has the content of snapshot monday again')
  await expect(row(page, 'tuesday')).toContainText('64 GiB')

  // The sizes stand where people look for changes.
  await openIn(page, project, 'overview')
  await expect(page.getByText(/enlarged disk data from 2 to 64 GiB/).first()).toBeVisible()
  await openIn(page, project, 'activity')
  const entry = row(page, 'Enlarged from 2 to 64 GiB')
  await expect(entry.getByRole('cell', { name: 'disk data', exact: true })).toBeVisible()
})

test('the panel of a disk has its state in one line and all of its actions', async ({ page, own, api }) => {
  const project = await own('panel')
  await makeDisk(api, project, 'data')
  await makeInstance(api, { project, name: 'web', disks: ['data'] })
  await api.snapshotCreate({ query: { project }, body: { name: 'monday', description: '', disk: 'data' } })
  await openIn(page, project, 'disks/data')
  const panel = page.getByRole('dialog', { name: 'Disk', exact: true })
  await expect(panel.getByRole('group', { name: 'Properties table' }).first()).toContainText(
    /State\s*attached\s*Size\s*\d+ GiB\s*Attached to\s*web\s*Age/i,
  )
  const act = async (item: string) => {
    await button(panel, 'Disk actions').click()
    await menuItem(page, item).click()
  }
  await act('Roll back')
  const back = page.getByRole('dialog', { name: 'Roll disk back' })
  // The last snapshot is chosen.
  await expect(back.getByRole('combobox', { name: 'Snapshot' })).toHaveValue('monday')
  await button(back, 'Roll disk back').click()
  await expectToast(page, 'Disk data has the content of snapshot monday again')
  await act('Detach')
  await expectToast(page, 'Disk data detached')
  await expect(panel).toContainText('detached')
  await act('Delete')
  await confirm(page, 'Delete disk')
  await expectPath(page, `/projects/${project}/disks`)
  await expect(row(page, 'data')).toHaveCount(0)
})
