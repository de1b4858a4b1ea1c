import { metadataXml, newProvider } from '@purlin/server/testing/saml-provider'
import { button, confirm, dialog, expectToast, row, textbox, unique } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const idps = '/system/silos/manufacturing/idps'
const operator = 'tariq-aziz'
const isPreview = () => test.info().project.name.includes('preview')

test('an operator adds an identity provider, reads what its administrator needs, and deletes it', async ({
  page,
  enter,
  troubles,
}) => {
  test.skip(isPreview(), 'the preview cannot verify signatures')
  // Its metadata is of another provider at first.
  troubles.allow(/^400 (POST|PUT)/, /^ApiError: unsupported value/)
  const name = unique('directory')
  await enter(idps, operator)
  await page.getByRole('link', { name: 'New provider' }).click()
  const create = dialog(page, 'Create identity provider')
  await textbox(create, 'Name').fill(name)
  await expect(create).toContainText(`/login/manufacturing/saml/${name}`)
  await expect(textbox(create, 'ACS URL')).toHaveValue(new RegExp(`/login/manufacturing/saml/${name}$`))
  await create.getByText('Use standard ACS URL').click()
  await textbox(create, 'ACS URL').fill('https://purlin.example.org/acs')
  await textbox(create, 'Technical contact email').fill('it@example.org')
  await textbox(create, 'Service provider client ID').fill('https://purlin.example.org')
  await textbox(create, 'Single Logout (SLO) URL').fill('https://purlin.example.org/slo')
  await textbox(create, 'Entity ID').fill('https://other.example.org')
  await textbox(create, 'Group attribute name').fill('groups')
  // A file that is chosen moves nothing below it.
  const key = create.getByLabel(/^Private key/)
  const place = await key.boundingBox()
  const certificate = { name: 'sp.der', mimeType: 'application/octet-stream', buffer: Buffer.from('0') }
  await create.getByLabel(/^Public certificate/).setInputFiles(certificate)
  await expect(create.getByText('sp.der')).toBeVisible()
  expect(await key.boundingBox()).toEqual(place)
  await button(create, 'Clear file').click()
  await button(create, 'Create provider').click()
  await expect(create).toContainText('Metadata source URL is required')
  await create.getByText('XML', { exact: true }).click()
  await create.getByLabel('Metadata source XML').setInputFiles({
    name: 'idp.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(metadataXml([newProvider().certificate])),
  })
  await button(create, 'Create provider').click()
  await expect(create).toContainText('it is not of https://other.example.org')
  await textbox(create, 'Entity ID').fill('https://idp.example.org')
  await button(create, 'Create provider').click()
  await expectToast(page, `IdP ${name} created`)

  await row(page, name).getByRole('link', { name }).click()
  const view = dialog(page, 'Identity provider')
  await expect(textbox(view, 'ACS URL')).toHaveValue('https://purlin.example.org/acs')
  await expect(textbox(view, 'Group attribute name')).toHaveValue('groups')
  await expect(view).toContainText('CN=idp')
  await view.getByRole('link', { name: 'Edit' }).click()
  const edit = dialog(page, 'Edit identity provider')
  await textbox(edit, 'Group attribute name').fill('teams')
  await textbox(edit, 'Entity ID').fill('https://next.example.org')
  await button(edit, 'Update provider').click()
  await expect(edit).toContainText('the metadata is of another provider')
  await textbox(edit, 'Entity ID').fill('https://idp.example.org')
  await button(edit, 'Update provider').click()
  await expectToast(page, `Identity provider ${name} updated`)
  await expect(textbox(view, 'Group attribute name')).toHaveValue('teams')
  await expect(view).toContainText('CN=idp')
  await button(view, 'Delete').click()
  await confirm(page, 'Delete identity provider')
  await expectToast(page, `Identity provider ${name} deleted`)
  await expect(row(page, name)).toHaveCount(0)
})

test('a person is led to the identity provider with the way back, and reads why a sign-in has failed', async ({
  page,
}) => {
  test.skip(isPreview(), 'the preview has no sign-in with identity providers')
  const path = '/login/manufacturing/saml/corporate'
  const link = page.getByRole('link', { name: 'Sign in with corporate' })
  await page.goto(path)
  await expect(link).toHaveAttribute('href', `${path}/redirect`)
  await page.goto(`${path}?redirect_uri=${encodeURIComponent('/projects/a?b=c&d=e')}`)
  await expect(link).toHaveAttribute('href', `${path}/redirect?redirect_uri=/projects/a%3Fb%3Dc%26d%3De`)
  await page.goto(`${path}?redirect_uri=${encodeURIComponent('//evil.example.org')}`)
  await expect(link).toHaveAttribute('href', `${path}/redirect?redirect_uri=/projects`)
  await page.goto(`${path}?failed=refused`)
  await expect(page.getByRole('alert')).toContainText('The answer of corporate was not accepted')
  await page.goto(`${path}?failed=unknown`)
  await expect(page.getByRole('alert')).toContainText('You have no account in this silo')
})

test('a silo with passwords has no identity providers', async ({ page, enter }) => {
  await enter('/system/silos/engineering/idps', operator)
  await expect(page.getByText('The users of this silo sign in with passwords.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'New provider' })).toHaveCount(0)
})
