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

test('an admin gives a program a key that reads one project, and revokes it', async ({
  page,
  enter,
  site,
  api,
}) => {
  const name = unique('reader')
  await enter('/access/service-accounts')
  await button(page, 'New service account').click()
  await textbox(dialog(page, 'New service account'), 'Name').fill(name)
  await button(dialog(page, 'New service account'), 'Create service account').click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByText('No keys', { exact: true })).toBeVisible()

  const { id } = await api.serviceAccountView({
    params: { serviceAccount: name },
    query: { silo: 'engineering' },
  })
  const params = { project: 'telemetry' }
  const { roleAssignments } = await api.projectPolicyView({ params })
  const role = { identityType: 'silo_user', identityId: id, roleName: 'collaborator' } as const
  await api.projectPolicyUpdate({ params, body: { roleAssignments: [...roleAssignments, role] } })

  await button(page, 'New key').click()
  const create = dialog(page, 'New key')
  await textbox(create, 'Name').fill('report')
  await expect(create.getByRole('checkbox', { name: 'Read-only' })).toBeChecked()
  await find(page, create, 'Only project', 'telemetry')
  await button(create, 'Create key').click()
  const shown = dialog(page, 'Key created')
  const key = await textbox(shown, 'Key').inputValue()
  expect(key).toMatch(/^purlin-key-[0-9a-f]{40}$/)
  await expect(textbox(shown, 'Command')).toHaveValue(
    `curl -H 'Authorization: Bearer ${key}' ${site.origin}/v1/me`,
  )
  await button(shown, 'Close').last().click()
  await expect(row(page, 'report')).toContainText('read-only')
  await expect(row(page, 'report')).toContainText('only telemetry')

  const statusOf = async (path: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${site.origin}${path}`, { method, headers })).status
  }
  expect(await statusOf('/v1/instances?project=telemetry')).toBe(200)
  expect(await statusOf('/v1/instances?project=storefront')).toBe(404)
  expect(await statusOf('/v1/users')).toBe(403)
  expect(await statusOf('/v1/disks/none?project=telemetry', 'DELETE')).toBe(403)

  await fromRow(page, 'report', 'Revoke')
  await confirm(page, 'Revoke key')
  await expect(page.getByText('No keys', { exact: true })).toBeVisible()
  expect(await statusOf('/v1/instances?project=telemetry')).toBe(401)

  await button(page, 'Service account actions').click()
  await menuItem(page, 'Disable').click()
  await confirm(page, 'Disable service account')
  await expectToast(page, 'Service account disabled')
  await expect(button(page, 'New key').first()).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Service account actions').click()
  await menuItem(page, 'Delete').click()
  await confirm(page, 'Delete service account')
  await expectPath(page, '/access/service-accounts')
  await expect(row(page, name)).toHaveCount(0)
})

test('an operator sees the service accounts of a silo, and users of it do not', async ({ page, enter }) => {
  await enter('/system/silos/engineering/service-accounts', 'tariq-aziz')
  await page.getByRole('link', { name: 'wallboard', exact: true }).click()
  await expect(row(page, 'hallway')).toContainText('read-only')
  await enter('/access/service-accounts', 'mei-tanaka')
  await expect(page.getByText('You do not have permission to view service accounts')).toBeVisible()
})
