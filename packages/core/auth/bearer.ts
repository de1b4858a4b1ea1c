/** The Authorization header (RFC 6750, section 2.1). */
import { fault } from '#/faults.ts'

/** The bearer token of a header, or the problem with it; neither without a header. */
function readBearer(authorization: string | undefined): { token?: string; problem?: string } {
  if (authorization === undefined) return {}
  const [scheme = '', value, more] = authorization.trim().split(/\s+/)
  if (scheme.toLowerCase() !== 'bearer') return { problem: 'unknown authentication scheme' }
  if (value === undefined || more !== undefined) return { problem: 'malformed bearer token' }
  return { token: value }
}

/** The bearer token of an Authorization header, null without one. */
export const bearerOf = (authorization: string | undefined): string | null =>
  readBearer(authorization).token ?? null

/** Rejects an Authorization header without a bearer token. Throws 400. */
export function checkBearer(authorization: string | undefined): void {
  const { problem } = readBearer(authorization)
  if (problem !== undefined) throw fault.badCredentials(problem)
}
