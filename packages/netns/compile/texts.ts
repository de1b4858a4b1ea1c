/**
 * Texts for documents and commands. Each is made of a parsed value, so that nothing of a pushed network gets into a command as
 * it was sent.
 */
import { createHash } from 'node:crypto'
import {
  bitsOf,
  contains,
  formatIp,
  formatNet,
  parseIp,
  parseNet,
  type Network,
} from '@purlin/contract/rules/network/ip'

/** A family of addresses, as nft and ip name it. */
export const families = [4, 6] as const
export type Family = (typeof families)[number]
/** The word of nft for the addresses of a family. */
export const wordOf = (family: Family): 'ip' | 'ip6' => (family === 4 ? 'ip' : 'ip6')

const malformed = (kind: string) => new Error(`a network has a malformed ${kind}`)

/** An address. Throws for any other text. */
export function addressIn(text: string): string {
  const address = parseIp(text)
  if (!address) throw malformed('address')
  return formatIp(address)
}

/** A network, or a single address as one. Throws for any other text. */
function parsedNet(text: string): Network {
  const address = parseIp(text)
  const net = address ? { base: address, width: bitsOf(address.family) } : parseNet(text)
  if (!net) throw malformed('block of addresses')
  return net
}

/** `address/width` without host bits. Throws for any other text. */
export const netIn = (text: string): string => formatNet(parsedNet(text))

/** The width of a network. Throws for any other text. */
export const widthIn = (text: string): number => parsedNet(text).width

/** The family of an address or a network. Throws for any other text. */
export const familyOf = (text: string): Family => parsedNet(text).base.family

/** True if a network has one address. */
export const isSingle = (text: string): boolean => widthIn(text) === bitsOf(familyOf(text))

/** The address of a network that has one. Throws for any other text. */
export const plainIn = (text: string): string => netIn(text).replace(/\/.*/, '')

/** True if an address is in a block. Throws for other texts. */
export const isWithin = (address: string, block: string): boolean =>
  contains(parsedNet(block), parsedNet(address).base)

/** The first digits of an address, as nft compares them with bytes of a packet: as many as its network is wide. */
export function startIn(text: string): { width: number; value: string } {
  const { base, width } = parsedNet(text)
  return { width, value: `0x${(base.value >> BigInt(bitsOf(base.family) - width)).toString(16)}` }
}

/** A MAC address in lower case. Throws for any other text. */
export function macIn(text: string): string {
  if (!/^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(text)) throw malformed('MAC address')
  return text.toLowerCase()
}

/** A number from 0 to `most`. Throws for any other. */
export function numberIn(value: number, most: number): string {
  if (!Number.isInteger(value) || value < 0 || value > most) throw malformed('number')
  return String(value)
}

/** `first-last`, or one number. Throws if one is not from 0 to `most`. */
export function rangeIn({ first, last }: { first: number; last: number }, most: number): string {
  const [from, to] = [numberIn(first, most), numberIn(last, most)]
  if (first > last) throw malformed('range')
  return from === to ? from : `${from}-${to}`
}

/** A name for a device: a letter and 12 digits made of an id, because Linux allows 15 characters. */
const deviceOf = (letter: string, id: string): string =>
  `${letter}${createHash('sha256').update(id).digest('hex').slice(0, 12)}`

/** The devices of a VPC, as they are called in its namespace. */
export const devices = {
  /** of an interface of a guest */
  nic: (id: string): string => deviceOf('n', id),
  /** all of interfaces, as nft and dnsmasq name them */
  everyNic: 'n*',
  /** towards the outside, by a gateway */
  gateway: (id: string): string => deviceOf('g', id),
  /** that packets from outside come by */
  entry: 'entry',
  /** towards the guests of other hosts */
  tunnel: 'tunnel',
} as const

/** The next hop beyond the devices towards the outside, which has no other meaning. */
export const beyond: Record<Family, string> = { 4: '169.254.1.1', 6: 'fe80::1' }
/** The MAC address that guests see of their gateway. Its range is reserved for the system. */
export const routerMac = 'a8:40:25:ff:77:77'
/** The address that guests with IPv6 see of it on their link, made of the MAC address. */
export const routerLinkLocal = 'fe80::aa40:25ff:feff:7777'

/** A short name of a device or namespace, for an id. */
export const shortOf = (id: string): string => deviceOf('', id)
