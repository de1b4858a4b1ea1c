import type { Page } from '@playwright/test'
import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectToast,
  find,
  fromRow,
  go,
  heading,
  menuItem,
  openRowMenu,
  row,
  unique,
  undo,
} from '../support/actions.ts'
import { openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const add = (page: Page) => dialog(page, 'Add user or group')

test('a person assigns, changes and removes a role on a project', async ({ page, own }) => {
  const project = await own('shared')
  await openIn(page, project, 'access')
  await expect(heading(page, 'Project Access')).toBeVisible()
  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  await button(add(page), 'Assign role').click()
  await expect(add(page).getByText('User or group is required')).toBeVisible()
  await find(page, add(page), 'User or group', 'sofia-reyes')
  await add(page)
    .getByRole('radio', { name: /^Collaborator/ })
    .check()
  await button(add(page), 'Assign role').click()
  await expectToast(page, /sofia-reyes is now (a )?collaborator/)
  const sofia = row(page, 'sofia-reyes')
  await expect(sofia).toContainText('project.collaborator')
  await expect(sofia).toContainText('Collaborator assigned here')

  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  const who = add(page).getByRole('combobox', { name: 'User or group' })
  await who.fill('sofia')
  await expect(page.getByText('No items match')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No items match')).toBeHidden()
  await button(add(page), 'Cancel').click()
  await expect(add(page)).toBeHidden()

  await fromRow(page, 'sofia-reyes', 'Change role')
  const change = dialog(page, 'Change role')
  await expect(change.getByRole('radio', { name: /^Collaborator/ })).toBeChecked()
  await change.getByRole('radio', { name: /^Viewer/ }).check()
  await button(change, 'Update role').click()
  await expectToast(page, /sofia-reyes is now (a )?viewer/)
  await expect(sofia).toContainText('project.viewer')
  await undo(page)
  await expect(sofia).toContainText('project.collaborator')

  await fromRow(page, 'sofia-reyes', 'Remove role')
  await expect(dialog(page, 'Remove role')).toContainText('sofia-reyes will have no access to this project.')
  await confirm(page, 'Remove role')
  await expect(sofia).toHaveCount(0)
  await undo(page, 'keys')
  await expectToast(page, 'sofia-reyes has the collaborator role on this project again')
  await expect(sofia).toContainText('project.collaborator')

  // Other journeys count on her having no role.
  await fromRow(page, 'sofia-reyes', 'Remove role')
  await confirm(page, 'Remove role')
  await expect(sofia).toHaveCount(0)
})

test('the effective role counts the silo and groups, and names where it comes from', async ({
  page,
  own,
}) => {
  const project = await own('sources')
  await openIn(page, project, 'access')
  // A silo collaborator is an admin of every project; a group gives its role to its members.
  await expect(row(page, 'joel-lindqvist')).toContainText('Admin through the silo')
  await expect(row(page, 'joel-lindqvist')).toContainText('silo.collaborator')
  await expect(row(page, 'platform-team')).toContainText('Viewer')
  await expect(row(page, /^hanna-okafor/)).toContainText('you')
  await openRowMenu(page, 'joel-lindqvist')
  await expectDisabled(menuItem(page, 'Change role'), /The role is inherited from the silo/)
  await expectDisabled(menuItem(page, 'Remove role'), /The role is inherited from the silo/)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  await find(page, add(page), 'User or group', 'mei-tanaka')
  await expect(add(page)).toContainText('mei-tanaka has the viewer role here through')
  await add(page)
    .getByRole('radio', { name: /^Admin/ })
    .check()
  await button(add(page), 'Assign role').click()
  await expect(row(page, 'mei-tanaka')).toContainText('Admin assigned here')
  await expect(row(page, 'mei-tanaka')).toContainText('+1')
  await fromRow(page, 'mei-tanaka', 'Remove role')
  await expect(dialog(page, 'Remove role')).toContainText('mei-tanaka keeps the viewer role on this project')
  await confirm(page, 'Remove role')
  await expect(row(page, 'mei-tanaka')).toContainText('Viewer through')
})

test('a project admin is warned before giving up that role', async ({ page, enter }) => {
  await enter('/projects/telemetry/access', 'omar-haddad')
  await openRowMenu(page, /^omar-haddad/)
  await menuItem(page, 'Remove role').click()
  const question = dialog(page, 'Remove your own admin role')
  await expect(question).toContainText('Only another admin can')
  await expect(confirmButton(question)).toHaveAttribute('aria-disabled', 'true')
  await button(question, 'Cancel').click()
  await expect(row(page, /^omar-haddad/)).toContainText('project.admin')
})

test('a role on the silo is given until a date, explained, and expires at that date', async ({
  page,
  enter,
  api,
}) => {
  await enter('/access/users', 'hanna-okafor')
  const name = unique('visitor')
  await button(page, 'New user').click()
  const creation = dialog(page, 'New user')
  await creation.getByLabel('Name').fill(name)
  await creation.getByLabel('Password').fill('too short')
  await button(creation, 'Create user').click()
  await expect(creation.getByText('A password must have at least 12 characters')).toBeVisible()
  await creation.getByLabel('Password').fill('')
  await button(creation, 'Create user').click()
  await expectToast(page, name)
  await page.getByRole('tab', { name: 'Policy' }).click()
  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  await find(page, add(page), 'User or group', name)
  await add(page).getByLabel('Expires').fill('2020-01-01T00:00')
  await button(add(page), 'Assign role').click()
  await expect(add(page).getByText('Choose a time in the future')).toBeVisible()
  await add(page).getByLabel('Expires').fill('2099-12-31T12:00')
  await button(add(page), 'Assign role').click()
  await expectToast(page, `${name} is now a viewer of this silo`)
  await expect(row(page, name)).toContainText('silo.viewer')
  await expect(row(page, name)).toContainText('2099')

  await fromRow(page, name, 'Show all roles')
  await expect(heading(page, name)).toBeVisible()
  const roles = page.getByRole('table', { name: 'Effective roles' })
  await expect(roles).toContainText('viewer, assigned here')
  await expect(roles).toContainText('2099')
  await expect(page.getByText(`${name} is in no group of the silo.`)).toBeVisible()
  await expect(page.getByText(`${name} is not signed in.`)).toBeVisible()

  await page.getByRole('link', { name: 'Who can do what' }).click()
  const question = page.getByRole('form', { name: 'Question' })
  await find(page, question, 'What to do', 'Create a project')
  await button(question, 'Ask').click()
  await expect(page.getByText(`No: ${name} cannot create a project`)).toBeVisible()
  await expect(page.getByText('It takes the collaborator role on the silo.')).toBeVisible()
  await find(page, question, 'What to do', 'List projects')
  await button(question, 'Ask').click()
  await expect(page.getByText(`Yes: ${name} can list projects`)).toBeVisible()
  await page.reload()
  await expect(roles).toContainText('viewer, assigned here')
  await go(page, '/projects/telemetry/disks')
  await fromRow(page, 'archive-2025', 'Who can delete this disk?')
  await expect(page.getByText('About the disk archive-2025')).toBeVisible()
  const holders = page.getByRole('table', { name: 'Who can' })
  await expect(holders).toContainText('collaborator of the silo engineering, which projects inherit')
  await expect(holders).not.toContainText(name)

  // A date field knows minutes only.
  const { roleAssignments } = await api.policyView()
  const made = (await api.userList({ query: { find: name } })).items[0]
  const soon = new Date(Date.now() + 1500)
  const changed = roleAssignments.map((one) =>
    one.identityId === made?.id ? { ...one, timeExpires: soon } : one,
  )
  await api.policyUpdate({ body: { roleAssignments: changed } })
  await expect
    .poll(async () => (await api.policyView()).roleAssignments.some((one) => one.identityId === made?.id))
    .toBe(false)
  await go(page, '/access')
  await expect(row(page, /^hanna-okafor/)).toBeVisible()
  await expect(row(page, name)).toHaveCount(0)
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('link', { name: 'platform-team' }).click()
  await expect(page.getByRole('table', { name: 'Users' })).toContainText('mei-tanaka')
})

test('lists of users say when each last signed in, to administrators and operators alone', async ({
  page,
  enter,
}) => {
  const column = page.getByRole('columnheader', { name: 'last sign-in' })
  const year = String(new Date().getFullYear())
  await enter('/access/users', 'rosa-lima')
  await expect(row(page, 'rosa-lima')).toBeVisible()
  await expect(column).toBeHidden()
  await page.getByRole('link', { name: 'rosa-lima' }).click()
  await expect(page.getByText('Last sign-in')).toBeVisible()
  await enter('/access/users', 'hanna-okafor')
  await expect(column).toBeVisible()
  await expect(row(page, 'rosa-lima')).toContainText(year)
  // The role on the silo, and the same actions as in the list of the operators.
  await expect(page.getByRole('columnheader', { name: 'role' })).toBeVisible()
  await expect(row(page, 'hanna-okafor').getByText('admin', { exact: true })).toBeVisible()
  await openRowMenu(page, 'rosa-lima')
  const actions = await page.getByRole('menuitem').allInnerTexts()
  expect(actions).toContain('Deactivate')
  await page.keyboard.press('Escape')
  await button(column, 'last sign-in').click()
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toContain('last_sign_in')
  await enter('/system/silos/engineering/users', 'tariq-aziz')
  await expect(row(page, 'rosa-lima')).toContainText(year)
})

test('lists of users are ordered by the strength of roles and restricted to them', async ({
  page,
  enter,
}) => {
  for (const [path, who] of [
    ['/access/users', 'rosa-lima'],
    ['/system/silos/engineering/users', 'tariq-aziz'],
  ] as const) {
    await enter(path, who)
    await expect(row(page, 'mei-tanaka').getByText('viewer', { exact: true })).toBeVisible()
    const table = page.getByRole('table', { name: 'Users' })
    const first = table.getByRole('row').nth(1)
    await button(page.getByRole('columnheader', { name: 'role' }), 'role').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('role_ascending')
    await expect(first.getByText('admin', { exact: true })).toBeVisible()
    await button(page.getByRole('columnheader', { name: 'role' }), 'role').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('role_descending')
    await expect(first.getByText('admin', { exact: true })).toHaveCount(0)
    await page
      .getByRole('group', { name: 'Filters' })
      .getByRole('button', { name: /^viewer/ })
      .click()
    await expect(row(page, 'mei-tanaka')).toBeVisible()
    await expect(row(page, 'hanna-okafor')).toHaveCount(0)
    await expect(row(page, 'rosa-lima')).toHaveCount(0)
  }
})

test('an operator gives a role on the fleet; its last admin stays', async ({
  page,
  enter,
  api,
  troubles,
}) => {
  troubles.allow(/^400 PUT/)
  await enter('/system/access', 'tariq-aziz')
  const name = unique('operator')
  const made = await api.localIdpUserCreate({
    query: { silo: 'engineering' },
    body: { externalId: name, password: { mode: 'login_disallowed' } },
  })
  await go(page, '/system/access')
  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  await find(page, add(page), 'User or group', name)
  await button(add(page), 'Assign role').click()
  await expect(row(page, name)).toContainText('fleet.viewer')
  await expect(row(page, name)).toContainText('Viewer assigned here')

  await openRowMenu(page, /^tariq-aziz/)
  await menuItem(page, 'Remove role').click()
  const question = dialog(page, 'Remove your own admin role')
  await question.getByRole('textbox').fill('fleet')
  await confirmButton(question).click()
  await expect(question).toContainText('must keep at least one admin who can sign in')
  await button(question, 'Cancel').click()
  await fromRow(page, name, 'Remove role')
  await expect(dialog(page, 'Remove role')).toContainText(`${name} will have no role on the fleet.`)
  await confirm(page, 'Remove role')
  await expect(row(page, name)).toHaveCount(0)
  await expect(row(page, /^tariq-aziz/)).toContainText('fleet.admin')
  await api.localIdpUserDelete({ params: { userId: made.id }, query: { silo: 'engineering' } })
})
