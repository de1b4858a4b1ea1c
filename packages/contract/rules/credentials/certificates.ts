/** Host names of silos, the certificates that are valid for them, and the stages before their expiry. */

/** The domain of an installation that has set none. */
export const defaultZone = 'purlin.internal'

/** The host name of a silo: its users sign in there, and its certificates are for it. */
export const hostOfSilo = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** The silo of a host name, in any zone, or undefined. */
export const siloNamedBy = (host: string): string | undefined =>
  /^([a-z0-9-]{1,63})\.sys\./.exec(host.toLowerCase())?.[1]

/** True if a name of a certificate covers a host. `*` matches exactly one label, the first (RFC 6125). */
export function covers(name: string, host: string): boolean {
  const [wanted, given] = [host.toLowerCase(), name.toLowerCase()]
  if (!given.startsWith('*.')) return given === wanted
  return wanted.includes('.') && given.slice(1) === wanted.slice(wanted.indexOf('.'))
}

/** Days before the expiry of a certificate at which a warning is logged, each more urgent than the one before. */
export const expiryDays = [30, 14, 3] as const

const dayMs = 24 * 60 * 60_000

/**
 * The stage of a certificate: the last of these days that has been reached, 0 once it has expired; undefined before
 * the first.
 */
export type ExpiryStage = (typeof expiryDays)[number] | 0

/** The latest end of a certificate that has reached a stage, ms since 1970. */
export const latestOf = (stage: ExpiryStage, now: number): number => now + stage * dayMs

/** The stage of a certificate that is valid until a time. */
export const expiryStage = (notAfter: number, now: number): ExpiryStage | undefined =>
  notAfter <= now ? 0 : expiryDays.findLast((days) => notAfter <= latestOf(days, now))
