/** A provider of OpenID Connect for tests: codes are lines of JSON, so that a test can say what one brings. */
import { type Oidc, type OidcClaims, type OidcMetadata, OidcRefused, OidcUnreachable } from '#/ports.ts'

export const issuer = 'https://id.example.org'
export const clientId = 'purlin'

/** The metadata of an issuer. */
export const testDiscovery = (of = issuer): OidcMetadata => ({
  issuer: of,
  signOnUrl: `${of}/auth`,
  tokenUrl: `${of}/token`,
  keysUrl: `${of}/keys`,
  userInfoUrl: `${of}/me`,
  algorithms: ['RS256'],
  secretIn: 'header',
  namesItself: false,
})

/** The content of a code. */
interface Brought {
  nonce: string
  claims: OidcClaims
}

/** A code for a request with this nonce. */
export const testCode = (nonce: string, claims: Partial<OidcClaims> = {}): string =>
  JSON.stringify({ nonce, claims: { sub: 'ann', ...claims } } satisfies Brought)

/** `token` of a logout, which the provider says is valid. */
export const testLogout = (claims: { tokenId: string; subject?: string; session?: string }): string =>
  JSON.stringify(claims)

/** The port. `down` says why nothing can be reached, `issuers` which of them exist. */
export const testOidc = (at: { down?: string; issuers?: string[] } = {}): Oidc => {
  const reach = () => {
    if (at.down !== undefined) throw new OidcUnreachable(at.down)
  }
  return {
    discover: async (of) => {
      reach()
      if (!(at.issuers ?? [issuer]).includes(of))
        throw new OidcRefused('unexpected HTTP response status code')
      return testDiscovery(of)
    },
    requestUrl: async ({ metadata, clientId: id, redirectUrl }, { state, nonce, verifier, scopes }) => {
      const query = { client_id: id, redirect_uri: redirectUrl, state, nonce, scope: scopes.join(' ') }
      return `${metadata.signOnUrl}?${new URLSearchParams({ ...query, challenge: `of ${verifier}` }).toString()}`
    },
    redeem: async ({ clientSecret, redirectUrl }, { code, error }, { nonce }) => {
      reach()
      if (error !== undefined) throw new OidcRefused(`the provider says ${error}`)
      if (clientSecret === 'wrong') throw new OidcRefused('the provider says invalid_client')
      const brought = parsed<Brought>(code ?? '')
      if (brought.nonce !== nonce) throw new OidcRefused('unexpected ID Token "nonce" claim value')
      if (!redirectUrl.endsWith('/callback')) throw new OidcRefused('the provider says invalid_grant')
      return brought.claims
    },
    readLogout: async (_, token) => {
      reach()
      const { tokenId, subject, session } = parsed<{ tokenId: string; subject?: string; session?: string }>(
        token,
      )
      return { tokenId, subject, session }
    },
  }
}

function parsed<T>(text: string): T {
  try {
    return JSON.parse(text) as T
  } catch {
    throw new OidcRefused('the provider says invalid_grant')
  }
}
