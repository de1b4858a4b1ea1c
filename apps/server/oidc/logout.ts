/** Logout tokens (OpenID Connect Back-Channel Logout 1.0). */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, type JWTPayload } from 'jose'
import { limits } from '@purlin/contract/rules/limits'
import { type OidcClient, type OidcLogout, OidcRefused } from '@purlin/core/ports'
import type { Fetching } from './fetch.ts'
import { refuse } from './reasons.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

interface Reading {
  client: Omit<OidcClient, 'redirectUrl'>
  token: string
  /** ms since 1970 */
  now: number
}

/** Throws OidcRefused, OidcUnreachable. */
export async function readLogout(fetching: Fetching, reading: Reading): Promise<OidcLogout> {
  const claims = await verified(fetching, reading).catch(refuse)
  const { jti, sub, sid, events } = claims
  const isLogout = typeof events === 'object' && events !== null && event in events
  if (!isLogout) throw new OidcRefused('it is no logout token')
  // So that nothing accepts it as an ID token, nor an ID token is accepted here.
  if ('nonce' in claims) throw new OidcRefused('a logout token has no nonce')
  if (typeof jti !== 'string' || jti === '') throw new OidcRefused('it has no id')
  const logout = { tokenId: jti, subject: textOf(sub), session: textOf(sid) }
  if (/\p{Cc}/u.test([jti, logout.subject, logout.session].join('')))
    throw new OidcRefused('it has control characters')
  if (logout.subject === undefined && logout.session === undefined)
    throw new OidcRefused('it names neither a user nor a session')
  return logout
}

async function verified(
  fetching: Fetching,
  { client: { metadata, clientId }, token, now }: Reading,
): Promise<JWTPayload> {
  const response = await fetching(metadata.keysUrl, {
    method: 'GET',
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) throw new OidcRefused(`its keys were not found: status ${response.status}`)
  const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet)
  const { payload } = await jwtVerify(token, keys, {
    issuer: metadata.issuer,
    audience: clientId,
    algorithms: metadata.algorithms,
    maxTokenAge: limits.oidc.logoutAgeMs / 1000,
    clockTolerance: limits.saml.skewMs / 1000,
    currentDate: new Date(now),
  })
  return payload
}

const textOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' ? claim : undefined
