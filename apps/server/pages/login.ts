/** The sign-in address for browsers. */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { fault, signInAddress, type World } from '@purlin/core'

/** The address of the sign-in page for a host name, with the page to return to. Throws 400 without a host or a silo. */
export async function loginAddress(
  world: World,
  { headers }: Pick<ApiRequest, 'headers'>,
  redirectUri: string | null,
): Promise<string> {
  const { host } = headers
  if (host === undefined) throw fault.invalid('request missing "host" header')
  const back = redirectUri === null ? '' : `?redirect_uri=${encodeURIComponent(redirectUri)}`
  return `${await signInAddress(world, host, isNavigation({ headers }))}${back}`
}

/** True for a page that a person visits, rather than a request of a program. */
export const isNavigation = ({ headers }: Pick<ApiRequest, 'headers'>): boolean =>
  headers['accept']?.includes('text/html') ?? false

/** By the status of the answer. */
const reasons = new Map([
  [400, 'refused'],
  [401, 'unknown'],
  [413, 'refused'],
  [507, 'full'],
])

/**
 * The sign-in page that says why a person who comes from an identity provider has not been signed in; undefined if the
 * address is of no such sign-in. The reason itself is in the audit log alone.
 */
export function failedSignIn(url: string, { status, headers }: ApiResponse): string | undefined {
  const [, page] =
    /^(\/login\/[^/?]+\/(?:saml|oidc)\/[^/?]+)(?:\/(?:redirect|callback))?(?:\?|$)/.exec(url) ?? []
  if (page === undefined) return undefined
  const failed = reasons.get(status) ?? 'unavailable'
  return `${page}?failed=${failed}&request_id=${headers['x-request-id'] ?? ''}`
}
