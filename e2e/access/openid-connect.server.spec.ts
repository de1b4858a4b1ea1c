import { startOpenIdProvider } from '@purlin/server/testing/openid/provider'
import { button, confirm, dialog, expectToast, row, textbox, unique } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const operator = 'tariq-aziz'
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g bea@notebook'

test('an operator adds a provider with OpenID Connect, a person signs in with it, and the operator changes it', async ({
  page,
  enter,
  api,
  site,
  browser,
  troubles,
}) => {
  // A secret that is wrong, an issuer without one, and a person without a role.
  troubles.allow(/^400 (POST|PUT)/, /^ApiError: unsupported value/)
  const [silo, name] = [unique('plant'), unique('id')]
  const at = `/login/${silo}/oidc/${name}`
  const provider = await startOpenIdProvider([`${site.origin}${at}/callback`])
  await enter('/system/silos', operator)
  const quotas = { cpus: 0, memory: 0, storage: 0 }
  await api.siloCreate({
    body: {
      name: silo,
      description: '',
      discoverable: false,
      identityMode: 'saml_jit',
      quotas,
      tlsCertificates: [],
    },
  })

  // No one can sign in yet, and the page of the silo says so.
  const stranger = await browser.newPage()
  await stranger.goto(`${site.origin}/login/${silo}`)
  await expect(stranger.getByRole('alert')).toContainText('it has no identity provider')

  await page.goto(`/system/silos/${silo}`)
  await page.getByRole('link', { name: 'New OpenID Connect provider' }).click()
  const create = dialog(page, 'Create OpenID Connect provider')
  await button(create, 'Create provider').click()
  await expect(create).toContainText('Client secret is required')
  await textbox(create, 'Name').fill(name)
  await expect(textbox(create, 'Redirect URI')).toHaveValue(`${site.origin}${at}/callback`)
  await textbox(create, 'Issuer').fill(`${provider.issuer}/nope`)
  await textbox(create, 'Client ID').fill(provider.clientId)
  await create.getByLabel('Client secret').fill('wrong')
  await textbox(create, 'Scopes').fill('openid profile groups')
  await textbox(create, 'Groups claim').fill('groups')
  await button(create, 'Create provider').click()
  await expect(create).toContainText('unexpected HTTP response status code')
  await textbox(create, 'Issuer').fill(provider.issuer)
  await button(create, 'Create provider').click()
  await expectToast(page, `IdP ${name} created`)

  provider.setUser({ id: 'u-1', name: 'bea', groups: ['fitters'] })
  await stranger.reload()
  await stranger.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(stranger.getByRole('alert')).toContainText(`The answer of ${name} was not accepted`)

  await row(page, name).getByRole('link', { name }).click()
  const view = dialog(page, 'Identity provider')
  const outcome = async () => {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      button(view, 'Test sign-in').click(),
    ])
    return { tab, test: dialog(tab, 'Test of a sign-in') }
  }
  const refused = await outcome()
  await expect(refused.test).toContainText('The sign-in would be refused')
  await expect(refused.test).toContainText('the provider says invalid_client')
  await refused.tab.close()
  await expect(textbox(view, 'Issuer')).toHaveValue(provider.issuer)
  await view.getByRole('link', { name: 'Edit' }).click()
  const edit = dialog(page, 'Edit identity provider')
  await textbox(edit, 'Issuer').fill('https://next.example.org')
  await button(edit, 'Update provider').click()
  await expect(edit).toContainText('Enter the secret for the new issuer')
  await textbox(edit, 'Issuer').fill(provider.issuer)
  await edit.getByLabel('Client secret').fill(provider.clientSecret)
  await button(edit, 'Update provider').click()
  await expectToast(page, `Identity provider ${name} updated`)
  const accepted = await outcome()
  await expect(accepted.test).toContainText('The user would be signed in')
  for (const text of ['u-1', 'fitters', 'would join', 'would be created', provider.issuer])
    await expect(accepted.test).toContainText(text)
  await accepted.tab.close()
  const users = await api.siloUserList({ query: { silo } })
  expect(users.items).toEqual([])

  await stranger.goto(`${site.origin}${at}?redirect_uri=/settings/profile`)
  await stranger.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(stranger).toHaveURL(`${site.origin}/settings/profile`)
  await expect(stranger.getByText('bea').first()).toBeVisible()

  // The session ends with a filled form, which stays while the person signs in again in another tab.
  await stranger.goto(`${site.origin}/settings/ssh-keys-new`)
  const form = dialog(stranger, 'Add SSH key')
  await textbox(form, 'Name').fill('kept')
  await textbox(form, 'Public key').fill(publicKey)
  const cookies = await stranger.context().cookies()
  const session = cookies.find((one) => one.name === 'session')?.value ?? ''
  await fetch(`${site.origin}/v1/logout`, { method: 'POST', headers: { cookie: `session=${session}` } })
  await button(form, 'Add SSH key').click()
  const ended = dialog(stranger, 'Your session has ended')
  const again = async () => {
    const [tab] = await Promise.all([
      stranger.context().waitForEvent('page'),
      ended.getByRole('link', { name: `Sign in with ${name} in a new tab` }).click(),
    ])
    await expect(tab.getByText('You have signed in')).toBeVisible()
    await tab.close()
  }
  await again()
  await expect(ended).toBeHidden()
  await expect(textbox(form, 'Name')).toHaveValue('kept')
  await button(form, 'Add SSH key').click()
  await expectToast(stranger, 'SSH key kept created')
  await stranger.close()

  await button(view, 'Delete').click()
  await expect(dialog(page, 'Delete identity provider')).toContainText(
    'the only identity provider of the silo',
  )
  await confirm(page, 'Delete identity provider')
  await expectToast(page, `Identity provider ${name} deleted`)
  await provider.close()
})
