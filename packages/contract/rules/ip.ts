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

/** Parses the text of an address; undefined if it is none. Zones are refused. */
export function parseIp(text: string): Address | undefined {
  if (text.includes('%')) return undefined
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return fromBytes(4, ipaddr.IPv4.parse(text).toByteArray())
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined
  return fromBytes(6, ipaddr.IPv6.parse(text).toByteArray())
}

const fromBytes = (family: 4 | 6, list: number[]): Address => ({
  family,
  value: list.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
})

/** The canonical text of an address (RFC 5952 for IPv6). */
export function formatIp({ family, value }: Address): string {
  const length = family === 4 ? 4 : 16
  const list = Array.from({ length }, (_, i) => Number((value >> BigInt(8 * (length - 1 - i))) & 255n))
  return family === 4 ? list.join('.') : new ipaddr.IPv6(list).toRFC5952String()
}

/** Parses `address/width`; undefined if it is none. Host bits are kept. */
export function parseNet(text: string): Network | undefined {
  const [address, width, more] = text.split('/')
  if (more !== undefined || address === undefined || width === undefined || !/^\d{1,3}$/.test(width))
    return undefined
  const base = parseIp(address)
  if (!base || Number(width) > bitsOf(base.family)) return undefined
  return { base, width: Number(width) }
}

export const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128)
/** How many addresses a network holds. */
const sizeOf = ({ base, width }: Network): bigint => 1n << BigInt(bitsOf(base.family) - width)
/** Lowest and highest address of a network, host bits dropped. */
export function boundsOf(net: Network): { first: bigint; last: bigint } {
  const size = sizeOf(net)
  const first = (net.base.value / size) * size
  return { first, last: first + size - 1n }
}
/** True if no bit beyond the width is set. */
export const isAligned = (net: Network): boolean => boundsOf(net).first === net.base.value
export function contains(net: Network, address: Address): boolean {
  const { first, last } = boundsOf(net)
  return net.base.family === address.family && address.value >= first && address.value <= last
}
export function overlaps(a: Network, b: Network): boolean {
  if (a.base.family !== b.base.family) return false
  const [x, y] = [boundsOf(a), boundsOf(b)]
  return x.first <= y.last && y.first <= x.last
}
export const formatNet = (net: Network): string =>
  `${formatIp({ family: net.base.family, value: boundsOf(net).first })}/${net.width}`

/** A text that sorts as the address does: family, then 32 hexadecimal digits. */
export const keyOf = ({ family, value }: Address): string =>
  `${family}${value.toString(16).padStart(32, '0')}`
export const fromKey = (key: string): Address => ({
  family: key.startsWith('4') ? 4 : 6,
  value: BigInt(`0x${key.slice(1)}`),
})
