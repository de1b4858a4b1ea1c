/**
 * The port that speaks OpenID Connect. It checks signatures and the claims that tie a token to its issuer, client, request
 * and time; the control plane decides which user the claims name.
 */

/** An identity provider, as its metadata describes it (OpenID Connect Discovery 1.0). */
export interface OidcMetadata {
  issuer: string
  signOnUrl: string
  tokenUrl: string
  keysUrl: string
  userInfoUrl: string | null
  /** The algorithms of its signatures, all with keys of the provider. */
  algorithms: string[]
  /** How it wants the client secret. */
  secretIn: 'header' | 'form'
  /** It names itself in its answers (RFC 9207). */
  namesItself: boolean
}

/** This service as an identity provider knows it. */
export interface OidcClient {
  metadata: OidcMetadata
  clientId: string
  clientSecret: string
  /** The address that the provider sends browsers to. */
  redirectUrl: string
}

/** Three secrets of a request: only `state` and `nonce` leave the server before the answer. */
export interface OidcRequest {
  state: string
  nonce: string
  /** Of PKCE (RFC 7636). */
  verifier: string
}

/** The parameters that a provider has added to `redirectUrl`. */
export type OidcAnswer = Partial<
  Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string | undefined>
>

/** The claims about a user, from the ID token; missing ones from the user info endpoint. */
export type OidcClaims = { sub: string } & Record<string, unknown>

/** A valid logout token. It has a subject, a session or both. */
export interface OidcLogout {
  tokenId: string
  subject: string | undefined
  session: string | undefined
}

/** Something of an identity provider that is refused. The message is the reason, for people. */
export class OidcRefused extends Error {
  override name = 'OidcRefused'
}

/** The identity provider cannot be reached, or does not work. The message is the reason, for people. */
export class OidcUnreachable extends Error {
  override name = 'OidcUnreachable'
}

/**
 * Every request of the port ends within 5 s, follows no redirect and reads a limited answer. Addresses that are not for
 * receivers of alerts are refused. `now` is in ms since 1970.
 */
export interface Oidc {
  /** Reads the metadata of an issuer. Throws OidcRefused, OidcUnreachable. */
  discover(issuer: string): Promise<OidcMetadata>
  /** The address that asks the provider to sign a user in. */
  requestUrl(client: OidcClient, request: OidcRequest & { scopes: readonly string[] }): Promise<string>
  /**
   * Exchanges the code of an answer for tokens, and returns the claims of the ID token. `wanted` are the claims that are
   * also looked up at the user info endpoint. Throws OidcRefused, OidcUnreachable.
   */
  redeem(
    client: OidcClient,
    answer: OidcAnswer,
    request: OidcRequest & { now: number; wanted: readonly string[] },
  ): Promise<OidcClaims>
  /** Reads a logout token (OpenID Connect Back-Channel Logout 1.0). Throws OidcRefused, OidcUnreachable. */
  readLogout(client: Omit<OidcClient, 'redirectUrl'>, token: string, now: number): Promise<OidcLogout>
}
