/** Clients of requests as they are kept: in the audit log, and with sessions. */
import { limits } from '@purlin/contract/rules/limits'
import { canonicalIp, ipProblem } from '@purlin/contract/rules/network/ip'
import { memoizeRecent } from '#/concurrency/memoize.ts'

const unspecifiedAddress = '::'

/** An address in its canonical form, IPv4 also where it was mapped to IPv6; the unspecified one for a text that is none. */
export const addressOf = memoizeRecent(1000, (remote: string): string => {
  const mapped = remote.replace(/^::ffff:(?=[\d.]+$)/i, '')
  return ipProblem(mapped) === undefined ? canonicalIp(mapped) : unspecifiedAddress
})

/** The User-Agent header as it is kept: short, without control characters. */
export const agentOf = (header: string | undefined): string | null =>
  header?.replaceAll(/\p{Cc}/gu, ' ').slice(0, limits.audit.agent) ?? null
