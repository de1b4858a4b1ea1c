import type { Check } from './validate.ts'

const isOctet = (text: string): boolean => /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255

/** Whether the text is an IPv4 address: four dotted numbers from 0 to 255. */
const isIpv4 = (text: string): boolean => {
  const parts = text.split('.')
  return parts.length === 4 && parts.every(isOctet)
}

// How many 16-bit groups this side of '::' holds, or NaN when one of them is malformed. Only the very
// last group may be a dotted IPv4 address, which counts as two.
const countGroups = (side: string, isTail: boolean): number => {
  if (side === '') return 0
  const groups = side.split(':')
  const dotted = isTail && isIpv4(groups.at(-1) ?? '')
  const plain = dotted ? groups.slice(0, -1) : groups
  return plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) ? plain.length + (dotted ? 2 : 0) : Number.NaN
}

// A zone names an interface of one machine, so only link-local and multicast addresses carry one (RFC 4007).
const mayHaveZone = (address: string): boolean => /^(fe[89ab][0-9a-f]|ff[0-9a-f]{2}):/i.test(address)

/** Whether the text is an IPv6 address (RFC 4291), compressed, zone-scoped and IPv4-mapped forms included. */
const isIpv6 = (text: string): boolean => {
  const [address = '', zone, ...rest] = text.split('%')
  if (rest.length > 0) return false
  if (zone !== undefined && !(mayHaveZone(address) && /^[0-9a-z._-]+$/i.test(zone))) return false
  const sides = address.split('::')
  const [head = '', tail = ''] = sides
  if (sides.length === 1) return countGroups(head, true) === 8
  return sides.length === 2 && countGroups(head, false) + countGroups(tail, true) <= 7
}

/** Which family the address belongs to, or undefined when it is no address. */
export const ipVersion = (text: string): 4 | 6 | undefined => {
  if (isIpv4(text)) return 4
  return isIpv6(text) ? 6 : undefined
}

/** Refuses anything but an IPv4 or IPv6 address. */
export const validateIp: Check<string> = (text) =>
  ipVersion(text.trim()) ? undefined : 'Not a valid IP address'

/** Refuses anything but an address and a prefix width in CIDR notation. */
export const validateIpNet: Check<string> = (text) => {
  const [address = '', width = '', ...rest] = text.trim().split('/')
  const version = ipVersion(address)
  if (rest.length > 0 || !version || width === '')
    return 'Must contain an IP address and a width, separated by a /'
  if (!/^\d+$/.test(width)) return 'Width must be an integer'
  const max = version === 4 ? 32 : 128
  return Number(width) > max ? `Max width for IPv${version} is ${max}` : undefined
}
