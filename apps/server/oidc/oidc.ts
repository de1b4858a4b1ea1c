/** Core's port for OpenID Connect, by `openid-client` and `jose`. Decision 0076. */
import type { Oidc } from '@purlin/core/ports'
import { createFetching, type FetchingOptions } from '../webhooks/fetching.ts'
import { fetchBy } from './fetch.ts'

/** The libraries are loaded when a provider is first used. */
export function createOidc(options: FetchingOptions): Oidc {
  const fetching = fetchBy(createFetching(options))
  return {
    discover: async (issuer) => (await import('./client.ts')).discover(fetching, issuer),
    requestUrl: async (client, request) => (await import('./client.ts')).requestUrl(client, request),
    redeem: async (client, answer, request) =>
      (await import('./client.ts')).redeem(fetching, { client, answer, request }),
    readLogout: async (client, token, now) =>
      (await import('./logout.ts')).readLogout(fetching, { client, token, now }),
  }
}
