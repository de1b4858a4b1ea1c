import { button, dialog, expectPath, go, heading } from '../support/actions.ts'
import { makeDisk, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person finds a task by words, sees why items failed, and tries them again', async ({
  page,
  api,
  own,
}) => {
  const project = await own('tasks')
  for (const name of ['one', 'two']) await makeDisk(api, project, name)
  const ids = (await api.diskList({ query: { project } })).items.map(({ id }) => id)
  const done = async (id: string) =>
    expect.poll(async () => (await api.taskView({ params: { task: id } })).state).toBe('completed')
  await done((await api.taskCreate({ body: { kind: 'disk', action: 'protect', ids } })).id)
  // They have subnets.
  const vpcs: string[] = []
  for (const name of ['front', 'back'])
    vpcs.push(
      (await api.vpcCreate({ query: { project }, body: { name, description: '', dnsName: name } })).id,
    )
  const failing = await api.taskCreate({ body: { kind: 'vpc', action: 'delete', ids: vpcs } })
  await done(failing.id)

  await openIn(page, project, 'disks')
  await button(page, 'Activity').click()
  await dialog(page, 'Activity').getByRole('link', { name: 'All tasks' }).click()
  await expectPath(page, '/tasks')
  await expect(heading(page, 'Tasks')).toBeVisible()
  await expect(dialog(page, 'Activity')).toBeHidden()
  const rows = page.locator('main tbody tr')
  await expect(rows.first()).toContainText('Delete 2 VPCs')
  await expect(rows.first()).toContainText('0 of 2 done, 2 failed')
  await expect(rows.first()).toContainText('hanna-okafor')

  const search = page.getByRole('combobox', { name: 'Search tasks' })
  await search.fill('action:protect')
  await expectPath(page, '/tasks?filter=action%3Aprotect')
  await expect(rows.first()).toContainText('Protect 2 disks')
  await expect(rows.filter({ hasText: 'Delete 2 VPCs' })).toHaveCount(0)
  await search.fill('action:protect state:failed')
  await expect(page.getByText('No tasks')).toBeHidden()
  await expect(rows).toHaveCount(0)
  await search.fill('action:delete kind:vpc')
  // Its completions are over the rows.
  await search.blur()
  await rows.first().getByRole('link', { name: 'Delete 2 VPCs' }).click()
  const panel = dialog(page, 'Task')
  await panel.getByRole('button', { name: /^2 × / }).click()
  await expect(panel.getByRole('listitem')).toHaveText(['front', 'back'])
  await expect(page).toHaveURL(new RegExp(`task=${failing.id}`))
  await panel.getByRole('button', { name: /^Try again/ }).click()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expectPath(page, '/tasks?filter=action%3Adelete%2Ckind%3Avpc')
  await expect(rows.filter({ hasText: 'Delete 2 VPCs' }).nth(1)).toBeVisible()

  await page.getByRole('button', { name: 'List options' }).click()
  await page.getByRole('menuitem', { name: 'Saved views…' }).click()
  await expect(dialog(page, /views/i)).toBeVisible()
  await page.keyboard.press('Escape')

  await go(page, '/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('action:delete kind:vpc')
  await page.getByRole('option', { name: 'Tasks: action:delete kind:vpc' }).click()
  await expectPath(page, '/tasks?filter=action%3Adelete%2Ckind%3Avpc')
})

test('an administrator sees the tasks of a user', async ({ page, enter }) => {
  await enter('/access/users')
  await page.getByRole('link', { name: 'rosa-lima' }).click()
  await page.getByRole('link', { name: 'Their tasks' }).click()
  await expect(page.getByText('Tasks of rosa-lima')).toBeVisible()
  await expect(page.getByText('No tasks')).toBeVisible()
  await page.getByRole('link', { name: 'Show your own' }).click()
  await expectPath(page, '/tasks')
  await enter('/tasks', 'rosa-lima')
  await expect(heading(page, 'Tasks')).toBeVisible()
  await expect(page.getByText('No tasks')).toBeVisible()
})
