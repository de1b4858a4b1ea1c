/** Templates of user data of a project, and instances that are created from them. */
import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  find,
  fromRow,
  pick,
  row,
  textbox,
} from '../support/actions.ts'
import { openIn } from '../support/prepare.ts'
import { expect, test } from '../support/world.ts'

const text = [
  '#cloud-config',
  'fqdn: <<<host>>>.example',
  'ssh_authorized_keys: <<<keys>>>',
  'chpasswd:',
  '  users: [{name: root, password: <<<password>>>}]',
  '',
].join('\n')

test('a person keeps user data with fields, copies it, changes the copy and deletes both', async ({
  page,
  own,
}) => {
  const project = await own('templates')
  await openIn(page, project, 'user-data-templates')
  await page.getByRole('link', { name: 'New user data template' }).first().click()
  const form = dialog(page, 'Create user data template')
  await textbox(form, 'Name').fill('web')
  await textbox(form, 'User data').fill('#cloud-config\n<<<host>>>: a')
  await button(form, 'Create user data template').click()
  await expect(textbox(form, 'User data')).toHaveAccessibleDescription(/Line 2: a field can be a value/)
  await textbox(form, 'User data').fill('#cloud-config\nhostname: <<<host>>>')
  await expect(textbox(form, 'User data')).not.toHaveAccessibleDescription(/Line 2/)
  const host = form.getByRole('region', { name: 'Field host' })
  await textbox(host, 'Label').fill('Host name')
  await textbox(host, 'Default').fill('web-1')
  await button(form, 'Create user data template').click()
  await expectToast(page, 'User data template web created')
  await expectPath(page, `/projects/${project}/user-data-templates`)

  await fromRow(page, 'web', 'Clone')
  const copy = dialog(page, 'Create user data template')
  await expect(textbox(copy, 'Name')).toHaveValue('web-copy')
  await expect(textbox(copy.getByRole('region', { name: 'Field host' }), 'Default')).toHaveValue('web-1')
  await button(copy, 'Create user data template').click()
  await expect(row(page, 'web-copy')).toBeVisible()

  await fromRow(page, 'web-copy', 'Edit')
  const edit = dialog(page, 'Edit user data template')
  const secret = edit.getByRole('region', { name: 'Field host' })
  await pick(page, secret, 'Type', 'Secret')
  await expect(secret.getByText('so it has no default')).toBeVisible()
  await textbox(edit, 'Tags').fill('team=web')
  await edit.getByRole('checkbox', { name: 'Protect from deletion' }).check()
  await button(edit, 'Update user data template').click()
  await expectToast(page, 'User data template web-copy updated')
  const copied = row(page, 'web-copy')
  await expect(copied.getByRole('cell', { name: '1', exact: true })).toBeVisible()
  await expect(copied.getByRole('link', { name: 'team=web' })).toBeVisible()
  await fromRow(page, 'web-copy', 'Remove protection')
  await expectToast(page, 'User data template web-copy no longer protected')

  for (const name of ['web', 'web-copy']) await row(page, name).getByRole('checkbox').check({ force: true })
  await button(page, 'Delete').click()
  await confirm(page, 'Delete 2 user data templates')
  await expect(row(page, 'web-copy')).toBeHidden()
})

test('a person fills in a template for a new instance; its secret is kept nowhere', async ({
  page,
  own,
  api,
}) => {
  const project = await own('filled')
  const fields = [
    { name: 'host', type: 'text', label: 'Host name', required: true },
    { name: 'keys', type: 'ssh_keys' },
    { name: 'password', type: 'secret', label: 'Password of root' },
  ] as const
  await api.userDataTemplateCreate({
    query: { project },
    body: { name: 'web', description: '', text, fields: [...fields] },
  })
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('web')
  await find(page, page, 'Image', 'alpine-3-22')
  await page.getByRole('button', { name: /^Advanced/ }).click()
  await button(page, 'Fill in a template').click()
  const form = dialog(page, 'Fill in a template')
  await find(page, form, 'Template', 'web')
  await button(form, 'Use this user data').click()
  await expect(textbox(form, 'Host name')).toHaveAccessibleDescription(/is required/)
  await textbox(form, 'Host name').fill('a": b')
  await textbox(form, 'keys').fill('')
  await form.getByLabel('Password of root').fill('hidden-text')
  const preview = form.getByRole('region', { name: 'User data' })
  await expect(preview).toContainText('fqdn: "a\\": b.example"')
  await expect(preview).toContainText('password: "••••••••"')
  await button(form, 'Use this user data').click()
  const filled = text
    .replace('<<<host>>>.example', '"a\\": b.example"')
    .replace('<<<keys>>>', '[]')
    .replace('<<<password>>>', '"hidden-text"')
  await expect(textbox(page, 'User data')).toHaveValue(filled)
  const stored = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))
  await expect.poll(stored).toMatch(/drafts.*web/)
  expect(await stored()).not.toContain('hidden-text')
  const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().includes('/v1/instances?'))
  await button(page, 'Create instance').click()
  const { user_data: data } = (await sent).postDataJSON() as { user_data: string }
  expect(Buffer.from(data, 'base64').toString()).toBe(filled)
})

test('a person keeps typed user data as a template, next to the form', async ({ page, own, api }) => {
  const project = await own('typed')
  await openIn(page, project, 'instances-new')
  await textbox(page, 'Name').fill('db')
  await page.getByRole('button', { name: /^Advanced/ }).click()
  await textbox(page, 'User data').fill('#cloud-config\nhostname: db')
  await button(page, 'Save as template').click()
  const form = dialog(page, 'Save as template')
  await textbox(form, 'Name').fill('db')
  await textbox(form, 'User data').fill('#cloud-config\nhostname: <<<host>>>')
  await expect(form.getByRole('region', { name: 'Field host' })).toBeVisible()
  await button(form, 'Create user data template').click()
  await expectToast(page, 'User data template db created')
  await expect(form).toBeHidden()
  await expect(textbox(page, 'Name')).toHaveValue('db')
  const view = await api.userDataTemplateView({ params: { template: 'db' }, query: { project } })
  expect(view.fields).toEqual([{ name: 'host', type: 'text' }])
})
