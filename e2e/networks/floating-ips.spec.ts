import {
  button,
  confirm,
  confirmButton,
  dialog,
  expectDisabled,
  expectPath,
  expectToast,
  find,
  fromRow,
  heading,
  jumpTo,
  menuItem,
  openRowMenu,
  options,
  pick,
  row,
  textbox,
  undo,
} from '../support/actions.ts'
import { makeFloatingIp, makeInstance, openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

test('a person allocates addresses from the default pool, from another one, and a specific one', async ({
  page,
  troubles,
  own,
}) => {
  troubles.allow(/^400 POST \/v1\/floating-ips/)
  const project = await own('float')
  await openIn(page, project, 'floating-ips')
  await expect(page.getByText('No floating IPs', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'New floating IP' }).first().click()
  const create = dialog(page, 'Create floating IP')
  await textbox(create, 'Name').fill('front')
  await textbox(create, 'Description').fill('Where customers arrive')
  await button(create, 'Create floating IP').click()
  await expectToast(page, 'Floating IP front created')
  await expectPath(page, `/projects/${project}/floating-ips`)
  await expect(row(page, 'front')).toContainText('Where customers arrive')
  await expect(row(page, 'front')).toContainText(/203\.0\.113\.\d+/)
  await expect(row(page, 'front')).toContainText('public-v4')

  await jumpTo(page, 'New floating IP')
  await pick(page, create, 'IP pool', 'office')
  await textbox(create, 'IP address').fill('10.90.4')
  await button(create, 'Create floating IP').click()
  await expect(create.getByText('Name is required')).toBeVisible()
  await expect(create.getByText('Not a valid IP address')).toBeVisible()
  await textbox(create, 'Name').fill('front')
  await textbox(create, 'IP address').fill('10.1.1.1')
  await button(create, 'Create floating IP').click()
  await expect(create.getByText('Requested external IP address not available')).toHaveCount(1)
  await button(create, 'Go to IP address').click()
  await expect(textbox(create, 'IP address')).toBeFocused()
  await textbox(create, 'IP address').fill('10.90.4.177')
  await button(create, 'Create floating IP').click()
  await expect(create.getByText('Name already exists', { exact: true })).toBeVisible()
  await textbox(create, 'Name').fill('back')
  await button(create, 'Create floating IP').click()
  await expect(row(page, 'back')).toContainText('10.90.4.177')
  await button(row(page, 'back'), 'office').click()
  await expect(dialog(page, 'IP pool')).toContainText('Addresses reachable from the offices only')
})

test('an address moves between instances and is deleted once it is free', async ({ page, api, own }) => {
  const project = await own('moves')
  const ip = await makeFloatingIp(api, project, 'front')
  for (const name of ['web', 'spare']) await makeInstance(api, { project, name })
  await openIn(page, project, 'floating-ips')
  await fromRow(page, 'front', 'Attach')
  const attach = dialog(page, 'Attach floating IP')
  await button(attach, 'Attach').click()
  await expect(attach.getByText('Instance is required')).toBeVisible()
  await find(page, attach, 'Instance', 'web')
  await expect(attach).toContainText(`web will be reachable at ${ip}`)
  await button(attach, 'Attach').click()
  await expectToast(page, 'Floating IP front attached')
  await fromRow(page, 'front', 'Delete')
  const question = dialog(page, 'Delete floating IP')
  await expectDisabled(confirmButton(question), 'This floating IP cannot be deleted now')
  await question.getByRole('link', { name: 'web', exact: true }).click()
  await expectPath(page, `/projects/${project}/instances/web/networking`)
  await expect(page.getByRole('table', { name: 'External IPs' })).toContainText(ip)

  // In one act, from the page of the instance and from the list.
  await fromRow(page, 'front', 'Move to …')
  const move = dialog(page, 'Move floating IP')
  await find(page, move, 'Instance', 'spare')
  await button(move, 'Move').click()
  await expectToast(page, 'Floating IP front moved')
  await expect(page.getByRole('table', { name: 'External IPs' })).not.toContainText(ip)
  await openIn(page, project, 'floating-ips')
  await expect(row(page, 'front')).toContainText('spare')
  await fromRow(page, 'front', 'Move to …')
  await find(page, move, 'Instance', 'web')
  await expect(move).toContainText(`web will be reachable at ${ip}, and its present instance no longer.`)
  await button(move, 'Move').click()
  await expect(row(page, 'front')).toContainText('web')

  await fromRow(page, 'front', 'Detach')
  await expectToast(page, 'Floating IP front detached')
  await undo(page, 'keys')
  await expectToast(page, 'Floating IP front attached again')
  await fromRow(page, 'front', 'Detach')
  await expect(row(page, 'front').getByRole('link', { name: 'web', exact: true })).toBeHidden()
  await openIn(page, project, 'instances/web/networking')
  await expect(heading(page, 'web')).toBeVisible()
  await expect(page.getByRole('table', { name: 'External IPs' })).not.toContainText(ip)
  await openIn(page, project, 'floating-ips')
  await fromRow(page, 'front', 'Delete')
  await confirm(page, 'Delete floating IP')
  await expectToast(page, 'Floating IP front deleted')
  await expect(page.getByText('No floating IPs', { exact: true })).toBeVisible()
})

test('an instance that cannot have an address attached now is not listed', async ({ page, enter, api }) => {
  await enter('/projects')
  await makeFloatingIp(api, 'telemetry', 'wandering')
  await openIn(page, 'telemetry', 'floating-ips')
  await fromRow(page, 'wandering', 'Attach')
  const attach = dialog(page, 'Attach floating IP')
  await attach.getByRole('combobox', { name: 'Instance' }).click()
  await expect(options(page).filter({ hasText: 'ingest-gateway' })).toBeVisible()
  await expect(options(page).filter({ hasText: 'query-failed' })).toHaveCount(0)
  await expect(attach).toContainText('are not listed')
})

test('an address is renamed, and an unfinished change is not lost by accident', async ({
  page,
  api,
  own,
  troubles,
}) => {
  // On a busy machine its page may ask once more by the name that has just gone.
  troubles.allow(/^404 GET \/v1\/floating-ips\/front/)
  const project = await own('rename')
  const ip = await makeFloatingIp(api, project, 'front')
  await openIn(page, project, 'floating-ips')
  await page.getByRole('link', { name: 'front', exact: true }).click()
  const edit = dialog(page, 'Edit floating IP')
  await expect(edit).toContainText(ip)
  await textbox(edit, 'Name').fill('entrance')
  const question = dialog(page, 'Confirm navigation')
  await page.keyboard.press('Escape')
  await button(question, 'Keep editing').click()
  await expect(textbox(edit, 'Name')).toHaveValue('entrance')
  await page.mouse.click(200, 450)
  await button(question, 'Keep editing').click()
  await textbox(edit, 'Description').fill('Where customers arrive')
  await button(edit, 'Update floating IP').click()
  await expectToast(page, 'Floating IP entrance updated')
  await expect(row(page, 'entrance')).toContainText('Where customers arrive')
  await fromRow(page, 'entrance', 'Edit')
  await textbox(edit, 'Description').fill('')
  await page.keyboard.press('Escape')
  await button(question, 'Leave form').click()
  await expect(edit).toBeHidden()
  await expect(row(page, 'entrance')).toContainText('Where customers arrive')
})

test('a concurrent change is not overwritten, and the input is kept', async ({ page, api, own }) => {
  const project = await own('edit-conflict')
  await makeFloatingIp(api, project, 'front')
  const asOther = (description: string) =>
    api.floatingIpUpdate({ params: { floatingIp: 'front' }, query: { project }, body: { description } })
  await openIn(page, project, 'floating-ips')
  await fromRow(page, 'front', 'Edit')
  const edit = dialog(page, 'Edit floating IP')
  const description = textbox(edit, 'Description')
  await description.fill('mine')
  await asOther('theirs')
  await button(edit, 'Update floating IP').click()
  await expect(edit.getByRole('alert')).toContainText('Another user has changed this')
  await expect(edit).toContainText('Descriptiontheirs')
  await expect(description).toHaveValue('mine')
  await button(edit, 'Use these values').click()
  await expect(description).toHaveValue('theirs')
  await description.fill('both')
  await asOther('theirs again')
  await button(edit, 'Update floating IP').click()
  await expect(edit).toContainText('theirs again')
  await button(edit, 'Update floating IP').click()
  await expectToast(page, 'Floating IP front updated')
  await expect(row(page, 'front')).toContainText('both')
})

test('a viewer sees the addresses and why nothing can be changed', async ({ page, enter }) => {
  await enter('/projects/telemetry/floating-ips', 'rosa-lima')
  const reason = /^This requires the collaborator role on the project/
  await expectDisabled(button(page, 'New floating IP'), reason)
  await openRowMenu(page, 'ingest')
  for (const item of ['Edit', 'Detach', 'Delete']) await expectDisabled(menuItem(page, item), reason)
})
