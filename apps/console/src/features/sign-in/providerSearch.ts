import { safeRedirect } from '#/api/session.ts'

export interface ProviderSearch {
  redirect_uri?: string
  failed?: string
  request_id?: string
}
const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The query of a page on which people sign in: where to return to, and why the last attempt has failed. */
export function providerSearch(search: Record<string, unknown>): ProviderSearch {
  const [target, failed, request] = ['redirect_uri', 'failed', 'request_id'].map((key) => textIn(search[key]))
  return {
    ...(target ? { redirect_uri: safeRedirect(target) } : {}),
    ...(failed ? { failed } : {}),
    ...(request ? { request_id: request } : {}),
  }
}
