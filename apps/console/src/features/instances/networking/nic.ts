/** A network interface as its form holds it, and the rules that hold wherever one is added. */
import { contains, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import { readEntries } from '#/lib/input/entries.ts'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'

/** An empty address is chosen by the control plane. */
export interface NicValues {
  name: string
  description: string
  vpcName: string
  subnetName: string
  ip: string
  /** Further networks that it may send from: those of an interface that was cloned. */
  transitIps?: readonly string[]
}

/** An interface that the instance has already: the first decides the VPC, each takes a subnet. */
export interface OtherNic {
  name: string
  /** name or id */
  vpc: string
  /** name or id */
  subnet: string
}

/** The request for a filled form. */
export const nicToBody = ({ ip, transitIps = [], ...rest }: NicValues) => ({
  ...rest,
  ...(ip.trim() === '' ? {} : { ip: ip.trim() }),
  ...(transitIps.length === 0 ? {} : { transitIps: [...transitIps] }),
})

/** Why no further network interface can be added. */
export const nicLimit = (count: number): string | undefined =>
  count >= limits.instance.nics
    ? `An instance supports a maximum of ${limits.instance.nics} network interfaces`
    : undefined

export const nicNameProblem = (name: string, others: readonly { name: string }[]): string | undefined =>
  others.some((nic) => nic.name === name) ? 'Name is already in use' : undefined

/** A requested address: empty, or inside one of the subnet's blocks. */
export function nicIpProblem(
  text: string,
  subnet: { ipv4Block: string; ipv6Block: string } | undefined,
): string | undefined {
  if (text.trim() === '') return undefined
  const address = parseIp(text.trim())
  if (!address) return validateIpWithoutZone(text)
  if (!subnet) return undefined
  const block = address.family === 4 ? subnet.ipv4Block : subnet.ipv6Block
  const net = parseNet(block)
  return net && !contains(net, address) ? `Must be an address of ${block}` : undefined
}

/** The networks that a text names, one by one or as a pasted list, after those of a list of transit IPs. */
export const transitIpsOf = (text: string, list: readonly string[]) =>
  readEntries(text, { list, entryOf: (net) => net, problemOf: validateIpNet })
