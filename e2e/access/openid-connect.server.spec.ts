import { startOpenIdProvider } from '@purlin/server/testing/openid/provider'
import { button, confirm, dialog, expectToast, row, textbox, unique } from '../support/actions.ts'
import { expect, test } from '../support/world.ts'

const operator = 'tariq-aziz'

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

  await stranger.goto(`${site.origin}${at}?redirect_uri=/settings/profile`)
  await stranger.getByRole('link', { name: `Sign in with ${name}` }).click()
  await expect(stranger).toHaveURL(`${site.origin}/settings/profile`)
  await expect(stranger.getByText('bea').first()).toBeVisible()
  await stranger.close()

  await button(view, 'Delete').click()
  await confirm(page, 'Delete identity provider')
  await expectToast(page, `Identity provider ${name} deleted`)
  await provider.close()
})
