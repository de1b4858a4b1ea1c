/** The traffic that a change of a VPC's rules opens and closes, by the decisions of the sleds. */
import type { VpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import { boundsOf, formatIp, formatNet, parseNet, type Network } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import type { Interruptible } from '#/concurrency/checkpoints.ts'
import type { VpcNetwork } from './model.ts'
import { addressOf } from './names.ts'
import { joined, openText, startsOf, type Open, type Version } from './reachability.ts'
import { decide, type Packet } from './packet.ts'
import type { NetworkRule } from './sled-network.ts'

type Answer = NonNullable<Out<typeof VpcPreview>['traffic']>
type Group = Answer['groups'][number]
type Change = Group['opens'][number]
type Nic = VpcNetwork['interfaces'][number]
type Direction = NetworkRule['direction']

/** Groups, and instances of each, that an answer names. */
const mostNamed = 100
const mostRegions = 128
const mostCells = 512
/** Comparisons of a packet with a rule, for a whole answer. They take about a second. */
const mostWork = 4_000_000

/** An interface before and after the change, with the rules of its direction. */
interface Pair {
  nic: Nic
  rules: [NetworkRule[], NetworkRule[]]
  direction: Direction
  family: 4 | 6
}

/** Other ends that all rules treat alike, apart from the regions inside. */
interface Region {
  first: bigint
  last: bigint
  /** Carried inside the VPC. */
  inside: boolean
  name: string
  /** One of its addresses. */
  sample: string
}

/**
 * Instances that gain or lose the same are one group: those with the most instances first, then those with the most changes, then by
 * name.
 */
export function* trafficBetween(before: Version, after: Version): Interruptible<Answer> {
  const names = new Map(before.rows.nics.map((nic) => [nic.instanceId, nic.instanceName]))
  const left = new Map(after.network.interfaces.map((nic) => [nic.id, nic]))
  const budget = { work: mostWork, complete: true }
  const known = new Map<string, Pick<Group, 'opens' | 'closes'>>()
  const groups = new Map<string, Pick<Group, 'opens' | 'closes'> & { ids: Set<string> }>()
  for (const nic of before.network.interfaces) {
    yield
    const now = left.get(nic.id)
    if (nic.owner !== 'instance' || !now) continue
    const likeness = JSON.stringify([nic.rules, now.rules, familyOf(nic), waysOf(nic)])
    const found = known.get(likeness) ?? (yield* changesOf([before, nic], [after, now], budget))
    known.set(likeness, found)
    if (found.opens.length + found.closes.length === 0) continue
    const key = JSON.stringify(found)
    const group = groups.get(key) ?? { ...found, ids: new Set() }
    group.ids.add(nic.instanceId)
    groups.set(key, group)
  }
  const all = [...groups.values()]
    .map(({ ids, opens, closes }): Group => {
      const instances = [...ids]
        .map((instanceId) => ({ instanceId, name: names.get(instanceId) ?? instanceId }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return { opens, closes, instances: instances.slice(0, mostNamed), totalInstances: ids.size }
    })
    .toSorted(byWeight)
  return { complete: budget.complete, totalGroups: all.length, groups: all.slice(0, mostNamed) }
}

const firstName = ({ instances }: Group): string => instances[0]?.name ?? ''
const byWeight = (a: Group, b: Group): number =>
  b.totalInstances - a.totalInstances ||
  b.opens.length + b.closes.length - a.opens.length - a.closes.length ||
  (firstName(a) < firstName(b) ? -1 : 1)

const familyOf = ({ ip }: Nic): 4 | 6 => (ip.includes(':') ? 6 : 4)
/** Whether it can be reached from outside, and leave. */
const waysOf = ({ nat }: Nic): Record<Direction, boolean> => ({
  inbound: nat.inbound.length > 0,
  outbound: nat.outbound.length > 0,
})

interface Budget {
  work: number
  complete: boolean
}
type At = [Version, Nic]

function* changesOf(
  [before, nic]: At,
  [after, now]: At,
  budget: Budget,
): Interruptible<Pick<Group, 'opens' | 'closes'>> {
  const found: Pick<Group, 'opens' | 'closes'> = { opens: [], closes: [] }
  for (const direction of ['inbound', 'outbound'] as const) {
    const rulesOf = ({ network: { shared } }: Version, places: readonly number[]) =>
      places.flatMap((place) => shared.rules[place] ?? []).filter((rule) => rule.direction === direction)
    const rules: Pair['rules'] = [rulesOf(before, nic.rules), rulesOf(after, now.rules)]
    const pair: Pair = { nic, rules, direction, family: familyOf(nic) }
    const changed = differing(rules)
    if (changed.length === 0) continue
    const regions = regionsOf(before, pair, budget)
    const cells = cellsOf(pair, changed, budget)
    const differences = yield* differencesIn(pair, { regions, cells }, budget)
    found.opens.push(...inWords(differences.opens, regions, direction))
    found.closes.push(...inWords(differences.closes, regions, direction))
  }
  return found
}

/** The rules that are in one list only. Ids change with each change of the rules. */
function differing([before, after]: Pair['rules']): NetworkRule[] {
  const keyOf = ({ id: _, ...rule }: NetworkRule) => JSON.stringify(rule)
  const [had, has] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  return [...before.filter((one) => !has.has(keyOf(one))), ...after.filter((one) => !had.has(keyOf(one)))]
}

const rootOf = (family: 4 | 6): Network => parseNet(family === 4 ? '0.0.0.0/0' : '::/0')!

/** The networks that rules name, the subnets and all the rest: networks lie in each other or apart. */
function regionsOf({ rows }: Version, { rules, family, nic, direction }: Pair, budget: Budget): Region[] {
  const blocks = rows.subnets.flatMap(({ name, ipv4Block, ipv6Block }) => {
    const net = parseNet(family === 4 ? ipv4Block : ipv6Block)
    return net ? [{ name: `subnet '${name}'`, ...boundsOf(net) }] : []
  })
  const machines = new Map(
    rows.nics.flatMap((one) => (one.owner === 'instance' ? [[addressOf(one), one.instanceName]] : [])),
  )
  const spans = new Map<string, Omit<Region, 'sample'>>()
  const add = (name: string, { first, last }: { first: bigint; last: bigint }) => {
    const inside = blocks.some((block) => block.first <= first && last <= block.last)
    const key = `${first} ${last}`
    if (!spans.has(key)) spans.set(key, { first, last, inside, name })
  }
  add('anywhere', boundsOf(rootOf(family)))
  for (const { name, ...bounds } of blocks) add(name, bounds)
  for (const rule of rules.flat())
    for (const net of rule.hosts?.nets.flatMap((text) => parseNet(text) ?? []) ?? [])
      if (net.base.family === family) add(machines.get(nameOf(net)) ?? nameOf(net), boundsOf(net))
  if (spans.size > mostRegions) budget.complete = false
  const sorted = [...spans.values()]
    .slice(0, mostRegions)
    .toSorted((a, b) => (a.first === b.first ? Number(b.last > a.last) * 2 - 1 : a.first < b.first ? -1 : 1))
  const isOpenOutside = waysOf(nic)[direction]
  return sorted.flatMap((one, i) => {
    const value = freeIn(one, sorted.slice(i + 1))
    if (value === undefined || (!one.inside && !isOpenOutside)) return []
    return [{ ...one, sample: formatIp({ family, value }) }]
  })
}

/** A network of one address is its address. */
function nameOf(net: Network): string {
  const { first, last } = boundsOf(net)
  return first === last ? formatIp(net.base) : formatNet(net)
}

/** An address of a span in none of those that begin later and lie in it. */
function freeIn({ first, last }: Omit<Region, 'sample'>, later: readonly Omit<Region, 'sample'>[]) {
  let at = first
  for (const one of later) {
    if (one.first > last || one.first > at) break
    if (one.last >= at) at = one.last + 1n
  }
  return at <= last ? at : undefined
}

interface Cell {
  open: Open
  packet: Packet['protocol']
}

/** The traffic that a changed rule may be about, where no rule begins or ends within a range. */
function cellsOf({ rules }: Pair, changed: readonly NetworkRule[], budget: Budget): Cell[] {
  const protocols = changed.flatMap((rule) => rule.protocols ?? [null])
  const cells: Cell[] = []
  for (const type of ['tcp', 'udp'] as const) {
    const starts = startsOf(rules.flat(), type)
    const isMeant = (port: number) =>
      protocols.some((one) => {
        if (one === null) return true
        if (one.type !== type) return false
        return one.ports?.some(({ first, last }) => first <= port && port <= last) ?? true
      })
    for (const [i, firstPort] of starts.entries()) {
      const lastPort = (starts[i + 1] ?? 65_536) - 1
      if (isMeant(firstPort))
        cells.push({ open: { protocol: type, firstPort, lastPort }, packet: { type, port: firstPort } })
    }
  }
  if (cells.length > mostCells) budget.complete = false
  return [...cells.slice(0, mostCells), ...messagesOf(protocols), ...othersOf(protocols)]
}

type Protocols = readonly (NonNullable<NetworkRule['protocols']>[number] | null)[]
const whole = { firstPort: null, lastPort: null }

/** A request for an echo represents messages that rules do not name. */
function messagesOf(protocols: Protocols): Cell[] {
  const types = protocols.flatMap((one) => {
    if (one !== null && one.type !== 'icmp') return []
    return [{ icmpType: one?.icmpType ?? 8, code: one?.codes?.first ?? 0 }]
  })
  return types
    .slice(0, mostCells)
    .map((one) => ({ open: { protocol: 'icmp', ...whole }, packet: { type: 'icmp', ...one } }))
}

const othersOf = (protocols: Protocols): Cell[] =>
  protocols.includes(null) ? [{ open: { protocol: 'other', ...whole }, packet: { type: 'other' } }] : []

/** By region, what differs there. */
type Differences = Record<'opens' | 'closes', Map<Region, Open[]>>

function* differencesIn(
  { nic, rules: [before, after], direction }: Pair,
  { regions, cells }: { regions: readonly Region[]; cells: readonly Cell[] },
  budget: Budget,
): Interruptible<Differences> {
  const found: Differences = { opens: new Map(), closes: new Map() }
  for (const region of regions) {
    const far = { address: region.sample, inside: region.inside }
    const [source, destination] = direction === 'inbound' ? [far.address, nic.ip] : [nic.ip, far.address]
    const passes = (rules: readonly NetworkRule[], protocol: Packet['protocol']) =>
      decide(rules, { source, destination, protocol, direction, far }).action === 'allow'
    for (const { open, packet } of cells) {
      yield
      budget.work -= before.length + after.length
      if (budget.work < 0) {
        budget.complete = false
        return found
      }
      const [had, has] = [passes(before, packet), passes(after, packet)]
      if (had === has) continue
      const into = has ? found.opens : found.closes
      into.set(region, [...(into.get(region) ?? []), open])
    }
  }
  return found
}

/** One change for the regions with the same traffic. */
function inWords(
  differences: ReadonlyMap<Region, Open[]>,
  regions: readonly Region[],
  direction: Direction,
): Change[] {
  const byTraffic = Map.groupBy(differences, ([, open]) => JSON.stringify(open))
  return [...byTraffic.values()].map((list) => {
    const traffic = joined(list[0]?.[1] ?? [])
    const own = new Set(list.map(([region]) => region))
    const { peers, except } = peersOf(own, regions)
    const but = except.length > 0 ? ` except ${listed(except)}` : ''
    const way = direction === 'inbound' ? 'from' : 'to'
    const text = `${trafficText(traffic)} ${way} ${listed(peers)}${but}`
    return { direction, traffic, peers, except, text }
  })
}

const mostPeers = 8
const listed = (names: readonly string[]): string =>
  names.slice(0, mostPeers).join(', ') +
  (names.length > mostPeers ? ` and ${names.length - mostPeers} more` : '')

/** The names of some regions: each within another one is left out, and where it is missing it is an exception. */
function peersOf(own: ReadonlySet<Region>, regions: readonly Region[]) {
  if (own.size === regions.length && regions.some(({ inside }) => !inside))
    return { peers: [anywhereName], except: [] }
  const ofSide = (inside: boolean) => regions.filter((one) => one.inside === inside)
  const within = ofSide(true)
  const isWhole = within.length > 0 && within.every((one) => own.has(one))
  const sides = [ofSide(false), ...(isWhole ? [] : [within])]
  const peers: string[] = isWhole ? ['everything in the VPC'] : []
  const except: string[] = []
  for (const side of sides)
    for (const one of side) {
      const around = side.findLast((other) => other !== one && isWithin(one, other))
      const isAround = around !== undefined && own.has(around)
      if (own.has(one) && !isAround) peers.push(one.name === anywhereName ? 'anywhere outside' : one.name)
      if (!own.has(one) && isAround) except.push(one.name)
    }
  return { peers, except }
}

const anywhereName = 'anywhere'
const isWithin = (one: Region, other: Region): boolean => other.first <= one.first && one.last <= other.last

function trafficText(traffic: readonly Open[]): string {
  const isAll = ['tcp', 'udp', 'icmp', 'other'].every((type) =>
    traffic.some(({ protocol, firstPort, lastPort }) => {
      return protocol === type && (firstPort === null || (firstPort === 0 && lastPort === 65_535))
    }),
  )
  return isAll ? 'all traffic' : [...new Set(traffic.map(openText))].join(', ')
}
