/** This service as a client of an identity provider: OpenID Connect Core 1.0, code flow with PKCE. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client'
import { limits } from '@purlin/contract/rules/limits'
import {
  type Oidc,
  type OidcAnswer,
  type OidcClaims,
  type OidcClient,
  type OidcMetadata,
  OidcRefused,
} from '@purlin/core/ports'
import type { Fetching } from './fetch.ts'
import { refuse } from './reasons.ts'

/** By keys that only the provider has. */
const signatures = /^(?:RS|PS|ES)(?:256|384|512)$|^Ed(?:DSA|25519)$/

// oxlint-disable-next-line no-deprecated -- marked only to stand out, and used for this machine alone
const allowInsecure = allowInsecureRequests

/** A machine may speak with itself in the clear. */
const mayBeInsecure = (issuer: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(issuer)?.hostname ?? '')

/** Throws OidcRefused, OidcUnreachable. */
export async function discover(fetching: Fetching, issuer: string): Promise<OidcMetadata> {
  const url = URL.parse(issuer)
  if (!url || !/^https?:$/.test(url.protocol)) throw new OidcRefused('it is no address of the web')
  const found = await discovery(url, 'unused', undefined, undefined, {
    [customFetch]: fetching,
    timeout: limits.saml.fetchMs / 1000,
    execute: mayBeInsecure(issuer) ? [allowInsecure] : [],
  }).catch(refuse)
  return metadataOf(found.serverMetadata(), url)
}

function metadataOf(server: Readonly<ServerMetadata>, expected: URL): OidcMetadata {
  if (URL.parse(server.issuer)?.href !== expected.href)
    throw new OidcRefused(`it is of ${server.issuer.slice(0, limits.quoted)}`)
  const algorithms = (server.id_token_signing_alg_values_supported ?? ['RS256']).filter((one) =>
    signatures.test(one),
  )
  if (algorithms.length === 0)
    throw new OidcRefused('it signs its tokens with no algorithm that is supported')
  const challenges = server.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) throw new OidcRefused('it does not support PKCE with S256')
  return {
    issuer: server.issuer,
    signOnUrl: addressIn(server, 'authorization_endpoint'),
    tokenUrl: addressIn(server, 'token_endpoint'),
    keysUrl: addressIn(server, 'jwks_uri'),
    userInfoUrl: server.userinfo_endpoint === undefined ? null : addressIn(server, 'userinfo_endpoint'),
    algorithms,
    secretIn: secretIn(server),
    namesItself: server.authorization_response_iss_parameter_supported === true,
  }
}

function addressIn(
  server: Readonly<ServerMetadata>,
  name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri' | 'userinfo_endpoint',
): string {
  const address = server[name] ?? ''
  const { protocol } = URL.parse(address) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && mayBeInsecure(server.issuer))
  if (!isSafe || address.length > limits.saml.returnTo)
    throw new OidcRefused(`its ${name} is no address with https`)
  return address
}

function secretIn(server: Readonly<ServerMetadata>): OidcMetadata['secretIn'] {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (methods.includes('client_secret_basic')) return 'header'
  if (methods.includes('client_secret_post')) return 'form'
  throw new OidcRefused('it accepts no client secret')
}

/** The libraries read the clock of this machine: `now` corrects it. Keys are read for every configuration. */
function configurationOf(
  { metadata, clientId, clientSecret }: Omit<OidcClient, 'redirectUrl'>,
  now?: number,
) {
  const { userInfoUrl } = metadata
  const server: ServerMetadata = {
    issuer: metadata.issuer,
    authorization_endpoint: metadata.signOnUrl,
    token_endpoint: metadata.tokenUrl,
    jwks_uri: metadata.keysUrl,
    ...(userInfoUrl === null ? {} : { userinfo_endpoint: userInfoUrl }),
    id_token_signing_alg_values_supported: metadata.algorithms,
    authorization_response_iss_parameter_supported: metadata.namesItself,
  }
  const client = {
    [clockSkew]: now === undefined ? 0 : Math.round((now - Date.now()) / 1000),
    [clockTolerance]: limits.saml.skewMs / 1000,
  }
  const secret = metadata.secretIn === 'header' ? ClientSecretBasic : ClientSecretPost
  const configuration = new Configuration(server, clientId, client, secret(clientSecret))
  configuration.timeout = limits.saml.fetchMs / 1000
  // oxlint-disable-next-line no-deprecated -- marked only to stand out, and used for this machine alone
  if (mayBeInsecure(metadata.issuer)) allowInsecure(configuration)
  return configuration
}

/** The address that asks for a sign-in. */
export async function requestUrl(
  client: OidcClient,
  { state, nonce, verifier, scopes }: Parameters<Oidc['requestUrl']>[1],
): Promise<string> {
  const url = buildAuthorizationUrl(configurationOf(client), {
    redirect_uri: client.redirectUrl,
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return url.href
}

interface Redeeming {
  client: OidcClient
  answer: OidcAnswer
  request: Parameters<Oidc['redeem']>[2]
}

/** Throws OidcRefused, OidcUnreachable. */
export async function redeem(
  fetching: Fetching,
  { client, answer, request: { state, nonce, verifier, now, wanted } }: Redeeming,
): Promise<OidcClaims> {
  const configuration = configurationOf(client, now)
  configuration[customFetch] = fetching
  // TLS proves the token endpoint; a signature proves the provider even behind a proxy that ends TLS.
  enableNonRepudiationChecks(configuration)
  const url = new URL(client.redirectUrl)
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) url.searchParams.set(name, value)
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  }).catch(refuse)
  const claims = tokens.claims()
  if (!claims) throw new OidcRefused('no ID token in the answer')
  const isComplete = wanted.every((name) => name in claims)
  if (isComplete || client.metadata.userInfoUrl === null) return claims
  const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(refuse)
  return { ...more, ...claims }
}
