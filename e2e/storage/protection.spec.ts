/** Protection from deletion in forms, menus and selections, and its mark in lists. */
import {
  button,
  confirm,
  dialog,
  expectDisabled,
  expectToast,
  fromRow,
  menuItem,
  openRowMenu,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { makeDisk, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const mark = 'Protected from deletion'

test('a person creates a protected disk, sees its mark, and removes the protection in the menu', async ({
  page,
  own,
  api,
}) => {
  const project = await own('kept')
  await openIn(page, project, 'disks-new')
  await textbox(page, 'Name').fill('ledger')
  await page.getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await button(page, 'Create disk').click()
  await expect(row(page, 'ledger').getByRole('img', { name: mark })).toBeVisible()
  const at = { params: { disk: 'ledger' }, query: { project } }
  expect((await api.diskView(at)).protected).toBe(true)

  await openRowMenu(page, 'ledger')
  await expectDisabled(menuItem(page, 'Delete'), /^It is protected from deletion/)
  await menuItem(page, 'Remove protection').click()
  await expectToast(page, 'Disk ledger no longer protected')
  await expect(row(page, 'ledger').getByRole('img', { name: mark })).toBeHidden()
  await fromRow(page, 'ledger', 'Delete')
  await confirm(page, 'Delete disk')
  await expect(page.getByText('No disks', { exact: true })).toBeVisible()
})

test('a person protects several disks at once, finds them, and removes the protection of all', async ({
  page,
  own,
  api,
}) => {
  const project = await own('kept')
  for (const name of ['data-1', 'data-2', 'scratch']) await makeDisk(api, project, name)
  await openIn(page, project, 'disks')
  const choose = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click()
  for (const name of ['data-1', 'data-2']) await choose(name)
  await expect(button(page, 'Remove protection')).toBeHidden()
  await button(page, 'Protect').click()
  await expectToast(page, '2 disks protected')
  for (const name of ['data-1', 'data-2'])
    await expect(row(page, name).getByRole('img', { name: mark })).toBeVisible()

  await openIn(page, project, 'disks?filter=protected:true')
  await expect(row(page, 'data-2')).toBeVisible()
  await expect(row(page, 'scratch')).toBeHidden()
  await openIn(page, project, 'disks')
  for (const name of ['data-1', 'data-2', 'scratch']) await choose(name)
  await button(page, 'Remove protection').click()
  const question = dialog(page, 'Remove the protection of 2 disks')
  await expect(question).toContainText('1 disk of the selection is in another state and stays as it is')
  await confirm(page, 'Remove the protection of 2 disks')
  await expectToast(page, '2 disks no longer protected')
  await expect(page.getByRole('img', { name: mark })).toBeHidden()
})

test('a person protects a project when it is created, and its activity says so', async ({
  page,
  api,
  enter,
}) => {
  const name = unique('vault')
  await enter('/projects-new')
  await textbox(page, 'Name').fill(name)
  await page.getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await button(page, 'Create project').click()
  await expectToast(page, `Project ${name} created`)
  await openIn(page, name, 'overview')
  await expect(page.getByText(/created project/).first()).toContainText('(protected from deletion)')
  expect((await api.projectView({ params: { project: name } })).protected).toBe(true)
  await api.projectProtectionUpdate({ params: { project: name }, body: { protected: false } })
  await api.projectDelete({ params: { project: name } })
})
