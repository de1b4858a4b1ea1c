/**
 * The names of a VPC in DNS: settings of dnsmasq, which answers for the instances of the VPC, and asks the DNS servers of the host
 * for others. It asks as one of the guests that may do so by the model. Guests that may not are answered by another process, which asks for nothing.
 */
import { leave, type NetworkInterface, type SledNetwork, type VmAddress } from '@purlin/core/ports'
import { sourceOf } from './nat.ts'
import { setOf } from './rules.ts'
import { addressIn, devices, familyOf } from './texts.ts'

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const dnsName = new RegExp(`^${label}(?:\\.${label})*$`)
const longestName = 253

/** A DNS server of the host, and how it is asked. */
export interface Upstream {
  resolver: string
  /** The place of the set of routes that leads to it. */
  routes: number
  gatewayId: string
  as: VmAddress
}

export interface Names {
  zone: string
  /** A line for each address of an instance, as in /etc/hosts. */
  hosts: string
  upstreams: readonly Upstream[]
  /** The ids of interfaces whose guests get no other names than those of the zone. */
  closed: readonly string[]
}

/** Undefined for a network without a zone, or without guests here. */
export function namesOf(network: SledNetwork, resolvers: readonly string[]): Names | undefined {
  const guests = network.interfaces.filter(({ owner }) => owner === 'instance')
  const zone = network.zone?.toLowerCase() ?? ''
  if (guests.length === 0 || !isName(zone)) return undefined
  const ways = guests.flatMap((nic) => resolvers.flatMap((one) => wayTo(network, nic, addressIn(one))))
  const open = new Set(ways.map(({ instanceId }) => instanceId))
  const upstreams = [...Map.groupBy(ways, ({ resolver }) => resolver).values()].flatMap(
    // Rather with an address that several guests share anyway.
    (of) => of.find(({ as }) => as.kind === 'snat') ?? of[0] ?? [],
  )
  const closed = guests.filter(({ instanceId }) => !open.has(instanceId)).map(({ id }) => id)
  return { zone, hosts: hostsOf(network, zone), upstreams, closed }
}

const isName = (text: string): boolean => text.length <= longestName && dnsName.test(text)

function hostsOf({ peers }: SledNetwork, zone: string): string {
  const lines = peers.flatMap(({ ip, hostname }) => {
    const name = `${hostname?.toLowerCase() ?? ''}.${zone}`
    return isName(name) ? [`${addressIn(ip)} ${name}\n`] : []
  })
  return lines.toSorted().join('')
}

/** How the guest of an interface asks a DNS server, if the model lets it. */
function wayTo(
  network: SledNetwork,
  nic: NetworkInterface,
  resolver: string,
): (Upstream & { instanceId: string })[] {
  if (familyOf(resolver) !== 4 || familyOf(nic.ip) !== 4) return []
  const protocol = { type: 'udp', port: dnsPort } as const
  const departure = leave(network, nic, { source: nic.ip, destination: resolver, protocol })
  if (departure.type !== 'outside') return []
  const { gatewayId, as } = departure
  return [{ resolver, routes: nic.routes, gatewayId, as, instanceId: nic.instanceId }]
}

const dnsPort = 53
/** Where those are answered that get names of the zone only: their packets to the usual port are sent on to it. */
const closedPort = 5_354
const both = 'meta l4proto { tcp, udp }'
const fromGuest = `iifname "${devices.everyNic}"`
const toGuest = `oifname "${devices.everyNic}"`

/** The settings of one of both processes; undefined if it is not needed. `hostsFile` is read again at a signal. */
export function settingsOf(
  { zone, upstreams, closed }: Names,
  hostsFile: string,
  isClosed: boolean,
): string | undefined {
  if (isClosed ? closed.length === 0 : upstreams.length === 0) return undefined
  const own = isClosed
    ? [`port=${closedPort}`]
    : [`port=${dnsPort}`, ...upstreams.map(({ resolver }) => `server=${resolver}`)]
  return `${[
    ...own,
    `interface=${devices.everyNic}`,
    'except-interface=lo',
    'no-hosts',
    'no-resolv',
    `addn-hosts=${hostsFile}`,
    `local=/${zone}/`,
    'local-ttl=10',
    'domain-needed',
    'bogus-priv',
    'cache-size=1000',
    'dns-forward-max=1000',
    'edns-packet-max=1232',
  ].join('\n')}\n`
}

/** Questions and answers are no connections: each would count in no share. */
export function unkeptNames({ closed }: Names): { questions: string[]; answers: string[] } {
  const own = 'fib daddr type local'
  const nics = setOf(closed.map((id) => `"${devices.nic(id)}"`))
  const turned = (['udp', 'tcp'] as const).map((one) => ({
    question: `iifname ${nics} ${one} dport ${dnsPort} ${own} ${one} dport set ${closedPort}`,
    answer: `${toGuest} ${one} sport ${closedPort} ${one} sport set ${dnsPort}`,
  }))
  return {
    questions: [
      ...(closed.length > 0 ? turned.map(({ question }) => question) : []),
      `${fromGuest} ${both} th dport { ${dnsPort}, ${closedPort} } ${own} notrack`,
    ],
    answers: [...turned.map(({ answer }) => answer), `${toGuest} ${both} th sport ${dnsPort} notrack`],
  }
}

/** Limits questions, so that a guest leaves room for the others of its VPC. */
export const tooManyNames = `${fromGuest} ${both} th dport { ${dnsPort}, ${closedPort} } fib daddr type local meter askersOfNames { iifname limit rate over 100/second burst 300 packets } drop`

/** The packets that the namespace itself takes and sends. */
export const ownNames = {
  questions: `${fromGuest} ${both} th dport { ${dnsPort}, ${closedPort} } accept`,
  answers: `${toGuest} ${both} th sport ${dnsPort} accept`,
  fromServers: `${both} th sport ${dnsPort} ct direction reply ct state established accept`,
  toServers: ({ upstreams }: Names): string[] =>
    upstreams.map((one) => `${toServer(one)} ${both} th dport ${dnsPort} accept`),
  leaving: ({ upstreams }: Names): string[] =>
    upstreams.map((one) => `${toServer(one)} fib saddr type local ${both} snat ip to ${sourceOf(one.as)}`),
} as const

const toServer = ({ resolver, gatewayId }: Upstream) =>
  `oifname "${devices.gateway(gatewayId)}" ip daddr ${resolver}`
