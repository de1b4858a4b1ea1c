/** Addresses and networks as both sides read them. Addresses sort by their `key`. */
import ipaddr from 'ipaddr.js'

/** An address as a number: `family` 4 or 6, `value` its 32 or 128 bits. */
export interface Address {
  family: 4 | 6
  value: bigint
}
export interface Network {
  base: Address
  width: number
}

interface IpOptions {
  /** Accepts a zone, e.g. `fe80::1%eth0`; it is not part of the value. */
  zone?: boolean
}

/** Parses the text of an address; undefined if it is none. */
export function parseIp(text: string, { zone: mayHaveZone = false }: IpOptions = {}): Address | undefined {
  if (!text.includes('%')) return parsePlainIp(text)
  const [address = '', zone, ...more] = text.split('%')
  if (more.length > 0) return undefined
  if (zone !== undefined && !(mayHaveZone && isLocal.test(address) && /^[0-9a-z._-]+$/i.test(zone)))
    return undefined
  return parsePlainIp(address)
}

function parsePlainIp(address: string): Address | undefined {
  // Check the family first: the library creates an error with a stack for each text of the other family.
  if (address.includes(':'))
    return ipaddr.IPv6.isValid(address) ? fromBytes(ipaddr.IPv6.parse(address).toByteArray()) : undefined
  const value = parseIpv4(address)
  return value === undefined ? undefined : { family: 4, value: BigInt(value) }
}

/** The 32 bits of four decimal numbers without leading zeros. Requests with many rules have thousands of them. */
function parseIpv4(text: string): number | undefined {
  let [value, part, digits, dots] = [0, 0, 0, 0]
  for (let i = 0; i <= text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit >= 0 && digit <= 9) {
      if (digits > 0 && part === 0) return undefined
      part = part * 10 + digit
      digits++
      if (part > 255) return undefined
    } else {
      const isEnd = i === text.length
      if (digits === 0 || (!isEnd && text[i] !== '.') || (isEnd && dots !== 3)) return undefined
      value = value * 256 + part
      part = digits = 0
      dots++
      if (dots > 4) return undefined
    }
  }
  return value
}

// A zone names an interface of one machine, so only link-local and multicast addresses have one (RFC 4007).
const isLocal = /^(fe[89ab][0-9a-f]|ff[0-9a-f]{2}):/i

/** Why a text is not accepted as an address: it is none, or it has a zone. */
export function ipProblem(text: string): 'syntax' | 'zone' | undefined {
  if (parseIp(text)) return undefined
  return parseIp(text, { zone: true }) ? 'zone' : 'syntax'
}

const fromBytes = (list: number[]): Address => ({
  family: 6,
  value: list.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
})

/** The canonical text of an address (RFC 5952 for IPv6). */
export function formatIp({ family, value }: Address): string {
  if (family === 4) {
    const bits = Number(value)
    return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`
  }
  const list = Array.from({ length: 16 }, (_, i) => Number((value >> BigInt(8 * (15 - i))) & 255n))
  return new ipaddr.IPv6(list).toRFC5952String()
}

/** The canonical text of an address; a text that is none stays as it is. */
export function canonicalIp(text: string): string {
  const address = parseIp(text)
  return address ? formatIp(address) : text
}

/** Why a text is no network: it is not an address and a width, its width is no integer, or its width is too large. */
export function netProblem(text: string, options: IpOptions = {}): 'syntax' | 'integer' | 4 | 6 | undefined {
  const [address = '', width = '', ...more] = text.split('/')
  const base = parseIp(address, options)
  if (!base || width === '' || more.length > 0) return 'syntax'
  if (!/^\d+$/.test(width)) return 'integer'
  return Number(width) > bitsOf(base.family) ? base.family : undefined
}

/** Parses `address/width`; undefined if it is none. Host bits are kept. */
export function parseNet(text: string): Network | undefined {
  const at = text.indexOf('/')
  const width = text.slice(at + 1)
  if (at < 0 || !/^\d{1,3}$/.test(width)) return undefined
  const base = parseIp(text.slice(0, at))
  return base && Number(width) <= bitsOf(base.family) ? { base, width: Number(width) } : undefined
}

export const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)
/** Lowest and highest address of a network, host bits dropped. */
export function boundsOf(net: Network): { first: bigint; last: bigint } {
  const bits = BigInt(bitsOf(net.base.family) - net.width)
  const first = (net.base.value >> bits) << bits
  return { first, last: first | ((1n << bits) - 1n) }
}
/** True if no bit beyond the width is set. */
export const isAligned = (net: Network): boolean => boundsOf(net).first === net.base.value
export function contains(net: Network, address: Address): boolean {
  if (net.base.family !== address.family) return false
  return (net.base.value ^ address.value) >> BigInt(bitsOf(address.family) - net.width) === 0n
}
export function overlaps(a: Network, b: Network): boolean {
  if (a.base.family !== b.base.family) return false
  const [x, y] = [boundsOf(a), boundsOf(b)]
  return x.first <= y.last && y.first <= x.last
}
export const formatNet = (net: Network): string =>
  `${formatIp({ family: net.base.family, value: boundsOf(net).first })}/${net.width}`

/** The address of a client: one of IPv4 that is mapped to IPv6 is what it maps; undefined for a text that is none. */
export function clientAddress(text: string): Address | undefined {
  const address = parseIp(text.split('%')[0] ?? '')
  const isMapped = address?.family === 6 && address.value >> 32n === 0xffffn
  return isMapped ? { family: 4, value: address.value & 0xffff_ffffn } : address
}

/**
 * The unit by which one client is counted: an IPv4 address, also if it is mapped to IPv6, or an IPv6 network of 64
 * bits. All texts that are not addresses count as one client, so an odd text does not create a new client.
 */
export function addressGroup(text: string): string {
  const address = clientAddress(text)
  if (!address) return 'unknown'
  return address.family === 6 ? formatNet({ base: address, width: 64 }) : formatIp(address)
}

/** A text that sorts as the address does: family, then 32 hexadecimal digits. */
export const keyOf = ({ family, value }: Address): string =>
  `${family}${value.toString(16).padStart(32, '0')}`
export const fromKey = (key: string): Address => ({
  family: key.startsWith('4') ? 4 : 6,
  value: BigInt(`0x${key.slice(1)}`),
})
