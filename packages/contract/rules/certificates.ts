/** Host names of silos, and the certificates that are valid for them. */

/** The domain of an installation that has set none. */
export const defaultZone = 'purlin.internal'

/** The host name of a silo: its users sign in there, and its certificates are for it. */
export const hostOfSilo = (silo: string, zone: string): string => `${silo}.sys.${zone}`

/** The silo that a host name is of, in whatever zone, or undefined. */
export const siloNamedBy = (host: string): string | undefined =>
  /^([a-z0-9-]{1,63})\.sys\./.exec(host.toLowerCase())?.[1]

/** True if a name of a certificate covers a host. `*` stands for the first label, and for one only (RFC 6125). */
export function covers(name: string, host: string): boolean {
  const [wanted, given] = [host.toLowerCase(), name.toLowerCase()]
  if (!given.startsWith('*.')) return given === wanted
  return wanted.includes('.') && given.slice(1) === wanted.slice(wanted.indexOf('.'))
}
