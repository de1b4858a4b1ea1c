import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  find,
  fromRow,
  heading,
  menuItem,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

test('an administrator makes a group, fills it, renames it and deletes it', async ({ page, enter }) => {
  const name = unique('crew')
  await enter('/access/groups')
  await button(page, 'New group').click()
  const create = dialog(page, 'New group')
  await button(create, 'Create group').click()
  await expect(create.getByText('Name is required')).toBeVisible()
  await textbox(create, 'Name').fill(name)
  await button(create, 'Create group').click()
  await expectToast(page, 'Group created')

  await page.getByRole('link', { name, exact: true }).click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('No members', { exact: true })).toBeVisible()
  await button(page, 'Add member').click()
  const add = dialog(page, 'Add member')
  await find(page, add, 'User', 'sofia-reyes')
  await button(add, 'Add member').click()
  await expectToast(page, 'Member added')
  await expect(row(page, 'sofia-reyes')).toBeVisible()
  await fromRow(page, 'sofia-reyes', 'Remove from group')
  await confirm(page, 'Remove member')
  await expect(row(page, 'sofia-reyes')).toHaveCount(0)

  const later = `${name}-2`
  await button(page, 'Group actions').click()
  await menuItem(page, 'Rename').click()
  await textbox(dialog(page, 'Rename group'), 'Name').fill(later)
  await button(dialog(page, 'Rename group'), 'Rename').click()
  await expect(heading(page, later)).toBeVisible()
  await button(page, 'Group actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete group')
  await expectPath(page, '/access/groups')
  await expect(row(page, later)).toHaveCount(0)
})

test('an operator sees the groups of a silo and their members', async ({ page, enter }) => {
  await enter('/system/silos/engineering/users', 'tariq-aziz')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('link', { name: 'platform-team', exact: true }).click()
  await expect(row(page, 'hanna-okafor')).toBeVisible()
  await expect(button(page, 'Add member')).toBeVisible()
})

test('a viewer sees groups and members, and why they cannot be changed', async ({
  page,
  enter,
  troubles,
}) => {
  troubles.allow(/^403 GET \/v1\/access\/explain/)
  await enter('/access/groups', 'sofia-reyes')
  await expect(button(page, 'New group')).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('link', { name: 'platform-team', exact: true }).click()
  await expect(button(page, 'Add member')).toHaveAttribute('aria-disabled', 'true')
})
