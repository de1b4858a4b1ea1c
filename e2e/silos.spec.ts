import { makeCertificate } from '@purlin/server/testing/certificates'
import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  go,
  menuItem,
  pick,
  properties,
  row,
  textbox,
  unique,
} from './support/actions.ts'
import { expect, test } from './support/world.ts'

const list = '/system/silos'
const operator = 'tariq-aziz'

test('an operator makes a silo for a department, raises its quotas and deletes it', async ({
  page,
  enter,
  api,
}) => {
  const name = unique('department')
  await enter(list, operator)
  await page.getByRole('link', { name: 'New silo', exact: true }).first().click()
  const create = dialog(page, 'Create silo')
  await textbox(create, 'Name').fill(name)
  await textbox(create, 'CPU quota (vCPUs)').fill('4')
  await textbox(create, 'Memory quota (GiB)').fill('8')
  await textbox(create, 'Storage quota (GiB)').fill('100')
  await expect(textbox(create, 'Admin group name')).toBeVisible()
  await create.getByText('Local only').click()
  await expect(textbox(create, 'Admin group name')).toBeHidden()
  await button(create, 'Add TLS certificate').click()
  const add = dialog(page, 'Add TLS certificate')
  const { cert, key } = makeCertificate({ dnsNames: [`${name}.sys.purlin.internal`] })
  await textbox(add, 'Name').fill('web')
  const file = { name: 'web.pem', mimeType: 'text/plain' }
  await add.getByLabel('Cert', { exact: true }).setInputFiles({ ...file, buffer: Buffer.from(cert) })
  await add.getByLabel('Key', { exact: true }).setInputFiles({ ...file, buffer: Buffer.from(key) })
  await button(add, 'Add certificate').click()
  await expect(row(create, 'web')).toBeVisible()
  await button(create, 'Create silo').click()
  await expectToast(page, `Silo ${name} created`)
  await expectPath(page, list)
  await expect(row(page, name)).toContainText('local only')
  await expect(row(page, name)).toContainText('/ 100 GiB')

  await fromRow(page, name, 'Edit quotas')
  const edit = dialog(page, 'Edit quotas')
  await textbox(edit, 'Storage quota (GiB)').fill('200')
  await button(edit, 'Update quotas').click()
  await expectToast(page, `Quotas of silo ${name} updated`)
  await expectPath(page, `${list}/${name}/quotas`)
  await expect(page.getByRole('meter', { name: 'CPU' })).toBeVisible()
  expect((await api.siloQuotasView({ params: { silo: name } })).storage).toBe(200 * 2 ** 30)

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
  await expect(properties(page)).toContainText('for the department')
  await page.getByRole('tab', { name: 'Fleet roles' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'silo.admin' })).toContainText('fleet.viewer')
  await page.getByRole('tab', { name: 'Users' }).click()
  await expect(page.getByText('No users', { exact: true })).toBeVisible()

  await go(page, list)
  await fromRow(page, name, 'Delete')
  await confirm(page, 'Delete silo')
  await expectToast(page, `Silo ${name} deleted`)
  await expect(row(page, name)).toBeHidden()
})
