import { makeCertificate } from '@purlin/x509/make'
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
  go,
  menuItem,
  pick,
  properties,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, fillSignIn, test } from '../support/world.ts'

const list = '/system/silos'
const operator = 'tariq-aziz'

test('an operator makes a silo for a department, whose admin fills it until the quota is raised, and deletes it', async ({
  page,
  enter,
  api,
  browser,
  site,
  troubles,
}) => {
  // The certificate for another host.
  troubles.allow(/^400 POST/, /^ApiError: unsupported value/)
  const name = unique('department')
  await enter(list, operator)
  await page.getByRole('link', { name: 'New silo', exact: true }).first().click()
  const create = dialog(page, 'Create silo')
  await textbox(create, 'Name').fill(name)
  const noUse = create.getByText('With quotas of 0, nothing can be started or stored')
  await expect(noUse, 'the quotas that a new silo begins with').toBeVisible()
  await textbox(create, 'Storage quota (GiB)').fill('524288')
  await expect(create, 'as other screens show it').toContainText('512 TiB.')
  await expect(noUse).toBeHidden()
  await textbox(create, 'CPU quota (vCPUs)').fill('4')
  await textbox(create, 'Memory quota (GiB)').fill('8')
  await textbox(create, 'Storage quota (GiB)').fill('100')
  await expect(create).toContainText('Next, create the users of the silo')
  await create.getByText('SAML + JIT').click()
  await expect(create).toContainText('No one can sign in to the silo until')
  await expect(textbox(create, 'Admin group name')).toBeVisible()
  await create.getByText('Local only').click()
  await expect(textbox(create, 'Admin group name')).toBeHidden()
  const add = dialog(page, 'Add TLS certificate')
  const addCertificate = async (as: string, host: string) => {
    const { cert, key } = await makeCertificate({ dnsNames: [host] })
    await button(create, 'Add TLS certificate').click()
    await textbox(add, 'Name').fill(as)
    const file = { name: 'web.pem', mimeType: 'text/plain' }
    await add.getByLabel('Certificate', { exact: true }).setInputFiles({ ...file, buffer: Buffer.from(cert) })
    await expect(add.getByRole('status')).toContainText(host)
    await add.getByLabel('Private key', { exact: true }).setInputFiles({ ...file, buffer: Buffer.from(key) })
    await button(add, 'Add certificate').click()
    await expect(row(create, as)).toBeVisible()
  }
  await addCertificate('web', `${name}.sys.purlin.internal`)
  await addCertificate('foreign', 'other.sys.purlin.internal')
  await button(create, 'Create silo').click()
  await expect(row(create, 'foreign')).toBeFocused()
  await expect(row(create, 'foreign')).toHaveAccessibleDescription(/it has other.sys.purlin.internal/)
  await button(create, 'Remove certificate foreign').click()
  await button(create, 'Create silo').click()
  await expectToast(page, `Silo ${name} created`)
  await expectPath(page, list)
  await expect(row(page, name)).toContainText('Local only')
  await expect(row(page, name)).toContainText('/ 100 GiB')

  const secret = 'first-of-the-department'
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('tab', { name: 'Users' }).click()
  await button(page, 'New user').click()
  const person = dialog(page, 'New user')
  await textbox(person, 'Name').fill('dana')
  await person.getByLabel('Password').fill(secret)
  await button(person, 'Create user').click()
  await expect(row(page, 'dana')).toBeVisible()
  await page.getByRole('tab', { name: 'Access' }).click()
  await page.getByRole('link', { name: 'Add user or group', exact: true }).click()
  const assign = dialog(page, 'Add user or group')
  await find(page, assign, 'User', 'dana')
  await assign.getByRole('radio', { name: 'Admin' }).check()
  await button(assign, 'Assign role').click()
  await expect(row(page, 'dana')).toContainText('silo.admin')
  await page.getByRole('link', { name: 'Who can do what' }).click()
  await find(page, page, 'What to do', 'Replace the roles on a silo')
  await button(page, 'Ask').click()
  await expect(row(page, 'dana')).toContainText(`admin, assigned on the silo ${name}`)

  const theirs = await browser.newContext()
  const department = await theirs.newPage()
  await department.goto(`${site.origin}/login/${name}/local`)
  await fillSignIn(department, 'dana', secret)
  await department.getByRole('link', { name: 'New project', exact: true }).first().click()
  const first = dialog(department, 'Create project')
  await textbox(first, 'Name').fill('archive')
  await button(first, 'Create project').click()
  await expectPath(department, '/projects/archive/instances')
  await go(department, '/projects/archive/disks-new')
  const disk = dialog(department, 'Create disk')
  await textbox(disk, 'Name').fill('papers')
  await textbox(disk, 'Size (GiB)').fill('150')
  await button(disk, 'Create disk').click()
  await expect(disk.getByRole('alert').first()).toContainText('100 GiB')
  await button(disk, 'Go to Size').click()
  await expect(textbox(disk, 'Size (GiB)')).toBeFocused()

  await go(page, list)
  await fromRow(page, name, 'Edit quotas')
  const edit = dialog(page, 'Edit quotas')
  await textbox(edit, 'Storage quota (GiB)').fill('200')
  await button(edit, 'Update quotas').click()
  await expectToast(page, `Quotas of silo ${name} updated`)
  await expectPath(page, `${list}/${name}/quotas`)
  await expect(page.getByRole('meter', { name: 'CPU' })).toBeVisible()
  await expect(page.getByText('Free for new instances, by quota and hardware')).toBeVisible()
  await expect(page.getByText('Free for disks and snapshots: 200 GiB of storage.')).toBeVisible()
  expect((await api.siloQuotasView({ params: { silo: name } })).storage).toBe(200 * 2 ** 30)

  await button(disk, 'Create disk').click()
  await expect(row(department, 'papers')).toContainText('150 GiB')
  await fromRow(department, 'papers', 'Delete')
  await confirm(department, 'Delete disk')
  await expect(row(department, 'papers')).toHaveCount(0)
  await go(department, '/projects')
  await fromRow(department, 'archive', 'Activity')
  await expect(row(department, 'Deleted disk')).toContainText('dana')
  await go(department, '/projects')
  await fromRow(department, 'archive', 'Delete')
  await confirm(department, 'Delete project')
  await expect(row(department, 'archive')).toHaveCount(0)
  await theirs.close()

  await expect(properties(page)).toContainText('valid')

  await page.getByRole('tab', { name: 'IP Pools' }).click()
  await page.getByRole('button', { name: 'Link pool' }).first().click()
  const link = dialog(page, 'Link pool')
  await pick(page, link, 'IP pool', 'public-v4')
  await link.getByText('Make default').click()
  await button(link, 'Link').click()
  await expect(row(page, 'public-v4')).toContainText('default')
  await fromRow(page, 'public-v4', 'Unlink')
  await confirm(page, 'Unlink silo')
  await expect(page.getByText('No IP pools', { exact: true })).toBeVisible()

  await button(page, 'Silo actions').click()
  await menuItem(page, 'Edit').click()
  const change = dialog(page, 'Edit silo')
  await textbox(change, 'Description').fill('for the department')
  await pick(page, change, 'Admins of the silo are', 'Fleet viewer')
  await button(change, 'Update silo').click()
  await expectToast(page, `Silo ${name} updated`)
  await button(page, 'Details').click()
  await expect(properties(page)).toContainText('for the department')
  await page.getByRole('tab', { name: 'Fleet roles' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'silo.admin' })).toContainText('fleet.viewer')
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(row(page, 'dana')).toBeVisible()

  await go(page, list)
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete silo')
  await expectToast(page, `Silo ${name} deleted`)
  await expect(row(page, name)).toBeHidden()
})

test('the question about a silo that is not empty says what it contains', async ({ page, enter }) => {
  await enter(list, operator)
  await fromRow(page, 'engineering', 'Delete')
  const question = dialog(page, 'Delete silo')
  await expect(question.getByRole('listitem').first()).toHaveText(/^\d+ projects$/)
  await expectDisabled(confirmButton(question), 'This silo cannot be deleted now')
})

test('an operator gives the program that manages the users of a silo a token, and takes it back', async ({
  page,
  enter,
  api,
}) => {
  await enter(`${list}/manufacturing/scim`, operator)
  const query = { silo: 'manufacturing' }
  const before = (await api.scimTokenList({ query })).map(({ id }) => id)
  await button(page, 'Create token').click()
  const form = dialog(page, 'Create SCIM token')
  await textbox(form, 'Name').fill('Directory sync')
  await form.getByLabel('Expires').fill('2020-01-01T00:00')
  await button(form, 'Create').click()
  await expect(form.getByText('Choose a time in the future')).toBeVisible()
  await form.getByLabel('Expires').fill('2099-01-01T00:00')
  await button(form, 'Create').click()
  const made = dialog(page, 'SCIM token created')
  await expect(textbox(made, 'Bearer token')).not.toBeEmpty()
  await button(made, 'Close').last().click()
  const [id = ''] = (await api.scimTokenList({ query }))
    .map((one) => one.id)
    .filter((one) => !before.includes(one))
  await expect(row(page, id)).toContainText('Directory sync')
  await expect(row(page, id)).toContainText('2099')
  await expect(row(page, id)).toContainText('Never')
  await fromRow(page, id, 'Delete')
  await expect(page.getByText('can no longer manage users and groups')).toBeVisible()
  await confirm(page, 'Delete SCIM token')
  await expectToast(page, `SCIM token ${id} deleted`)
  await expect(row(page, id)).toHaveCount(0)
})
