import { openWorld, type RawResponse, type TestWorld } from '@purlin/core/testing/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followAt, type OpenIdProvider, startOpenIdProvider } from '../testing/openid/provider.ts'
import { createOidc } from './oidc.ts'

const at = '/login/acme/oidc/corp'
const host = 'purlin.example.org'

describe('an identity provider of oidc-provider', () => {
  let w: TestWorld
  let provider: OpenIdProvider
  beforeAll(async () => {
    provider = await startOpenIdProvider([`http://${host}${at}/callback`])
    w = await openWorld({ oidc: createOidc({ refused: [], allowed: ['127.0.0.0/8'] }) })
    await setMode('saml_jit')
    const { issuer, clientId, clientSecret } = provider
    const body = {
      name: 'corp',
      description: '',
      issuer,
      clientId,
      clientSecret,
      scopes: ['profile', 'groups'],
      groupsClaim: 'groups',
    }
    await w.as('admin').oidcIdentityProviderCreate({ query: { silo: 'acme' }, body })
    // The provider has the clock of this machine.
    await w.jump(Date.now() - w.clock.now())
  })
  afterAll(async () => {
    await w.close()
    await provider.close()
  })

  const setMode = (identityMode: 'saml_jit') =>
    w.world.engine.transaction('write', (tx) =>
      tx.updateTable('silo').set({ identityMode }).where('name', '=', 'acme').execute(),
    )
  const cookieIn = ({ cookies }: RawResponse, name: string) =>
    cookies.find((one) => one.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''

  /** Asks as a browser does, and returns the address that the provider sends it to. */
  async function ask(cookies = new Map<string, string>()) {
    const asked = await w.raw({ url: `${at}/redirect?redirect_uri=/images`, headers: { host } })
    const url = await followAt(provider.issuer, asked.headers['location'] ?? '', cookies)
    return { url: url.slice(`http://${host}`.length), cookie: cookieIn(asked, 'asked') }
  }
  const call = ({ url, cookie }: { url: string; cookie: string }) => w.raw({ url, headers: { cookie, host } })

  it('accepts our request and our secret, and signs a user in, once', async () => {
    provider.setUser({ id: 'u-1', name: 'bea', groups: ['dev', 'ops'] })
    const asked = await ask()
    const answer = await call(asked)
    expect([answer.status, answer.headers['location'], answer.text]).toEqual([303, '/images', ''])
    const cookie = cookieIn(answer, 'session')
    const me = await w.raw({ url: '/v1/me', headers: { cookie } })
    expect(me.json).toMatchObject({ display_name: 'bea' })
    const groups = await w.raw({ url: '/v1/me/groups', headers: { cookie } })
    const { items } = groups.json as { items: { display_name: string }[] }
    expect(items.map((one) => one.display_name).toSorted()).toEqual(['dev', 'ops'])
    // The code has been used.
    expect(await call(asked)).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('the provider says invalid_grant') as string },
    })
  })

  it('refuses a code with the secret of another request', async () => {
    const [mine, other] = [await ask(), await ask()]
    const code = (url: string) => new URLSearchParams(url.split('?')[1]).get('code') ?? ''
    const stolen = mine.url.replace(code(mine.url), code(other.url))
    expect(await call({ ...mine, url: stolen })).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining('invalid_grant') as string },
    })
  })

  it('ends the session that its user has ended there', async () => {
    const [first, second] = [new Map<string, string>(), new Map<string, string>()]
    const sessions = [await call(await ask(first)), await call(await ask(second))]
    const states = () =>
      Promise.all(
        sessions.map(async (one) => {
          const { status } = await w.raw({ url: '/v1/me', headers: { cookie: cookieIn(one, 'session') } })
          return status
        }),
      )
    expect(await states()).toEqual([200, 200])
    const [token = ''] = await provider.signOut(first)
    const body = new URLSearchParams({ logout_token: token }).toString()
    const logout = () => w.raw({ method: 'POST', url: `${at}/logout`, body })
    expect((await logout()).status).toBe(204)
    expect(await states()).toEqual([401, 200])
    expect((await logout()).status).toBe(400)
  })
})
