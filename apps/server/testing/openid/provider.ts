// oxlint-disable-next-line triple-slash-reference -- the journeys are another project, and read this file too
/// <reference path="./oidc-provider.d.ts" />
/** For tests: a provider of OpenID Connect that we have not written, which signs in the user that a test names. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { type Context, Provider } from 'oidc-provider'
import { portOf } from '@purlin/server/http/listening'

export interface OpenIdProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Signs this user in from now on. */
  setUser(user: { id: string; name: string; groups: string[] }): void
  /** Signs the user of a browser out, and returns the logout tokens that it sends to clients. */
  signOut(cookies: Map<string, string>): Promise<string[]>
  close(): Promise<void>
}

const minute = 60
const ttl = { Interaction: minute, Grant: minute, Session: minute, AccessToken: minute, IdToken: minute }

/** Starts one on this machine, for a client at these addresses. */
export async function startOpenIdProvider(redirectUris: string[]): Promise<OpenIdProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const logoutTokens: string[] = []
  let user = { id: 'ann', name: 'Ann', groups: ['ops'] }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const [clientId, clientSecret] = ['purlin', 'a secret with : and /']
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        backchannel_logout_uri: 'https://purlin.example.org/logout',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' }] },
    ttl,
    cookies: { keys: ['of tests'] },
    // Its own requests are those to log out.
    fetch: async (_: unknown, { body }: { body: URLSearchParams | string }) => {
      logoutTokens.push(new URLSearchParams(body).get('logout_token') ?? '')
      return new Response(null, { status: 204 })
    },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: user.name, groups: user.groups }),
    }),
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'], groups: ['groups'] },
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    const login = { login: { accountId: user.id } }
    const answered = request.url?.startsWith('/interaction/')
      ? provider.interactionFinished(request, response, login)
      : answer(request, response)
    answered.catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return {
    issuer,
    clientId,
    clientSecret,
    setUser: (next) => void (user = next),
    async signOut(cookies) {
      const cookie = cookieHeader(cookies)
      const page = await fetch(`${issuer}/session/end?client_id=${clientId}`, { headers: { cookie } })
      keep(cookies, page)
      const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(await page.text()) ?? []
      await fetch(`${issuer}/session/end/confirm`, {
        method: 'POST',
        headers: { cookie: cookieHeader(cookies) },
        body: new URLSearchParams({ xsrf, logout: 'yes' }),
        redirect: 'manual',
      })
      return logoutTokens.splice(0)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser at the provider: follows redirects from an address until one leaves the provider, and returns that one. */
export async function followAt(issuer: string, from: string, cookies: Map<string, string>): Promise<string> {
  let url = from
  while (url.startsWith(`${issuer}/`)) {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookieHeader(cookies) } })
    keep(cookies, response)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url}: ${response.status} ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}

const cookieHeader = (cookies: Map<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function keep(cookies: Map<string, string>, { headers }: Response): void {
  for (const one of headers.getSetCookie()) {
    const [pair = ''] = one.split(';', 1)
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}
