import { makeCertificate } from '@purlin/x509/make'
import {
  button,
  confirm,
  dialog,
  expectPath,
  expectToast,
  fromRow,
  row,
  textbox,
  unique,
} from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const dayMs = 24 * 60 * 60_000
const list = '/certificates'

const host = 'research.sys.purlin.internal'

/** The files of a certificate for the silo that is valid for this many days. */
async function filesFor(days: number) {
  const notAfter = new Date(Date.now() + days * dayMs)
  const made = await makeCertificate({ dnsNames: [host], notAfter })
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  return { cert: file('web.pem', made.cert), key: file('web.key', made.key) }
}

test('a person adds a certificate of the silo, and replaces it', async ({ page, enter, troubles }) => {
  const [old, fresh] = [unique('old'), unique('fresh')]
  // The key that does not fit.
  troubles.allow(/400/)
  await enter('/access', 'lena-vogt')
  await page.getByRole('tab', { name: 'Certificates' }).click()
  await expectPath(page, list)
  await page.getByRole('link', { name: 'Add certificate', exact: true }).first().click()
  const add = dialog(page, 'Add certificate')
  await textbox(add, 'Name').fill(old)
  await button(add, 'Add certificate').click()
  await expect(add.getByText('Certificate is required')).toBeVisible()
  const [soon, long] = [await filesFor(10.5), await filesFor(200)]
  await add.getByLabel('Certificate', { exact: true }).setInputFiles(soon.cert)
  await add.getByLabel('Private key', { exact: true }).setInputFiles(long.key)
  await button(add, 'Add certificate').click()
  await expect(add.getByText('Certificate and private key do not match').first()).toBeVisible()
  await button(add, 'Clear file').nth(1).click()
  await add.getByLabel('Private key', { exact: true }).setInputFiles(soon.key)
  await button(add, 'Add certificate').click()
  await expectToast(page, `Certificate ${old} created`)
  await expect(row(page, old)).toContainText('expires in 10 days')
  await expect(page.getByText('The TLS certificate of the silo expires in 10 days')).toBeVisible()

  await page.getByRole('link', { name: 'Add certificate', exact: true }).first().click()
  await textbox(add, 'Name').fill(fresh)
  const key = add.getByLabel('Private key', { exact: true })
  const place = await key.boundingBox()
  await add.getByLabel('Certificate', { exact: true }).setInputFiles(long.cert)
  await expect(add.getByText('Valid until')).toBeVisible()
  expect(await key.boundingBox()).toEqual(place)
  await key.setInputFiles(long.key)
  const sent: string[] = []
  page.on('request', (one) => one.method() === 'POST' && sent.push(new URL(one.url()).pathname))
  await button(add, 'Add certificate').dblclick()
  await expect(row(page, fresh)).toContainText('valid')
  expect(sent, 'a double click sends one request').toEqual(['/v1/certificates'])
  await expect(page.getByText('The TLS certificate of the silo expires')).toBeHidden()
  await fromRow(page, old, 'Delete')
  await confirm(page, 'Delete certificate')
  await expect(row(page, old)).toHaveCount(0)

  await page.getByRole('link', { name: fresh, exact: true }).click()
  const view = dialog(page, 'View certificate')
  await expect(view).toContainText(host)
  await expect(textbox(view, 'Certificate')).toHaveValue(/^-----BEGIN CERTIFICATE-----/)
  await expect(view.getByRole('textbox'), 'what cannot be changed is no field').toHaveCount(1)
  await page.keyboard.press('Escape')
  await fromRow(page, fresh, 'Delete')
  await expect(page.getByText('The silo has no other certificate')).toBeVisible()
  await confirm(page, 'Delete certificate')
  await expect(page.getByText('No certificates', { exact: true })).toBeVisible()
})
