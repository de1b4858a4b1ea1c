/** Which rules and routes of a VPC have no effect, or less than they seem to have, and why. */
import type { VpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import { parseNet, overlaps } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import type { Interruptible } from '#/concurrency/checkpoints.ts'
import type { VpcNetwork } from './model.ts'
import { containsAll, packetsOf, type PacketSet } from './packet-sets.ts'
import { filtersIn, type Reference } from './references.ts'
import type { VpcRows } from './rows.ts'
import type { NetworkRoute, NetworkRule } from './sled-network.ts'

export type Effects = Out<typeof VpcEffects>
type RuleEffect = Effects['rules'][number]
type RouteEffect = Effects['routes'][number]
type Row<T extends 'rules' | 'routes'> = VpcRows[T][number]

/** In the order of the rows. A rule or route that is not listed has its literal effect. */
export function* effectsOf(rows: VpcRows, network: VpcNetwork): Interruptible<Effects> {
  const shadows = yield* shadowsOf(network)
  const routes = routeFindings(rows, network)
  return {
    rules: rows.rules.flatMap((row) => ruleEffect(row, network, shadows) ?? []),
    routes: rows.routes.flatMap((row) => routes(row) ?? []),
  }
}

const ruleTexts = {
  disabled: 'It is disabled.',
  'no target': 'None of its targets exists: no subnet or instance of the VPC has these names.',
  'no host': 'None of its hosts exists: no subnet or instance of the VPC has these names.',
} as const

function ruleEffect(row: Row<'rules'>, network: VpcNetwork, shadows: Shadows): RuleEffect | undefined {
  const { id: ruleId, name } = row
  const none = { ruleId, name, effect: 'none', byRuleId: null } as const
  const idle = network.idle.rules.get(ruleId)
  if (idle) return { ...none, reason: reasonOf(idle), text: ruleTexts[idle] }
  const shadow = shadows.get(ruleId)
  if (shadow === 'no interface')
    return { ...none, reason: 'no_interface', text: 'No interface of the VPC is among its targets.' }
  if (shadow) {
    const text = `Rule '${shadow.name}' (priority ${shadow.priority}) comes first and decides about all packets that it could match.`
    return { ...none, reason: 'shadowed', text, byRuleId: shadow.id }
  }
  const { ports, protocols } = filtersIn(row)
  if (ports && protocols?.every(({ type }) => type === 'icmp')) {
    const text = 'Its ports have no effect: they apply to TCP and UDP, and the rule is for ICMP only.'
    return { ...none, effect: 'partial', reason: 'ports_ignored', text }
  }
  const missing = network.missing.get(ruleId)
  return missing && { ...none, effect: 'partial', reason: 'names_missing', text: missingText(missing) }
}

const mostNamed = 3

/** Names some of what does not exist, each once. */
function missingText(missing: readonly Reference[]): string {
  const all = [...new Set(missing.map(({ type, value }) => `${type} '${value}'`))]
  const rest = all.length - mostNamed
  const named = all.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
  return `Some of its references do not exist in the VPC: ${named}.`
}

const reasonOf = <T extends string>(text: T) =>
  text.replaceAll(' ', '_') as T extends `${infer A} ${infer B}` ? `${A}_${B}` : T

/** By rule, the one that decides before it, or that it applies to no interface. */
type Shadows = ReadonlyMap<string, NetworkRule | 'no interface'>

interface Applied {
  rule: NetworkRule
  packets: PacketSet
  /** A bit for each interface. */
  nics: Uint32Array
  /** The cost of a comparison with another rule. */
  size: number
}

/**
 * After this number of comparisons of parts of rules, no more shadowed rules are reported. They take about a second.
 */
const mostWork = 30_000_000

const sizeOf = ({ hosts, protocols }: NetworkRule): number =>
  (protocols ?? []).reduce(
    (sum, one) => sum + (one.type === 'icmp' ? 1 : (one.ports?.length ?? 1)),
    1 + (hosts?.nets.length ?? 0),
  )

function* shadowsOf({ shared, interfaces }: VpcNetwork): Interruptible<Shadows> {
  const shadows = new Map<string, NetworkRule | 'no interface'>()
  // Without interfaces no rule has an effect, which is not worth reporting for each.
  if (interfaces.length === 0) return shadows
  const applied: Applied[] = []
  for (const rule of shared.rules) {
    yield
    const nics = new Uint32Array(Math.ceil(interfaces.length / 32))
    applied.push({ rule, packets: packetsOf(rule), nics, size: sizeOf(rule) })
  }
  for (const [i, { rules }] of interfaces.entries()) {
    yield
    for (const place of rules) {
      const nics = applied[place]?.nics
      if (nics) nics[i >>> 5] = (nics[i >>> 5] ?? 0) | (1 << (i & 31))
    }
  }
  const before: Applied[] = []
  let work = mostWork
  for (const one of applied) {
    const { id } = one.rule
    if (one.nics.every((bits) => bits === 0)) {
      shadows.set(id, 'no interface')
      continue
    }
    let first: Applied | undefined
    for (const other of before) {
      yield
      if (work <= 0) break
      if (!appliesWherever(other, one)) continue
      work -= one.size + other.size
      if (!containsAll(other.packets, one.packets)) continue
      first = other
      break
    }
    if (first) shadows.set(id, first.rule)
    // A shadowed rule cannot shadow more than the rule that shadows it.
    else before.push(one)
  }
  return shadows
}

/** True if a rule applies to all interfaces of another one, in its direction. */
const appliesWherever = (first: Applied, { rule, nics }: Applied): boolean =>
  rule.direction === first.rule.direction && nics.every((bits, i) => (bits & ~(first.nics[i] ?? 0)) === 0)

const routeTexts = {
  no_destination: 'Its destination does not exist: no subnet of the VPC has this name.',
  no_target: 'Its target does not exist in the VPC.',
  other_family: 'Its destination and its target are of different IP versions.',
  router_unused: 'No subnet uses its router. Choose the router in a subnet.',
  overridden: 'Another route to the same destination comes first wherever its router is used.',
  nothing_attached: 'No pool is attached to its gateway, so no traffic can leave there. Attach one.',
  nobody_has_target: 'No interface of the VPC has the address of its target.',
  not_accepted:
    'The interface that it sends packets to does not take them. Add the destination to the transit IPs of that interface.',
} as const

/** Returns a function that reports the problem with a route. */
function routeFindings(rows: VpcRows, { shared, interfaces, idle }: VpcNetwork) {
  const used = new Map<string, NetworkRoute[]>()
  const deciding = new Set<NetworkRoute>()
  for (const set of shared.routeSets) {
    const destinations = new Set<string>()
    for (const route of set) {
      used.set(route.id, [...(used.get(route.id) ?? []), route])
      if (!destinations.has(route.destination)) deciding.add(route)
      destinations.add(route.destination)
    }
  }
  return ({ id: routeId, name, vpcRouterId: routerId }: Row<'routes'>): RouteEffect | undefined => {
    const found = (reason: keyof typeof routeTexts): RouteEffect => ({
      routeId,
      routerId,
      name,
      reason,
      text: routeTexts[reason],
      effect: 'none',
    })
    const unresolved = idle.routes.get(routeId)
    if (unresolved) return found(reasonOf(unresolved))
    const routes = used.get(routeId)
    // Without subnets no router is used, which is not worth reporting for each route.
    if (shared.routeSets.length === 0) return undefined
    if (!routes) return found('router_unused')
    if (!routes.some((one) => deciding.has(one))) return found('overridden')
    const problem = targetProblem(rows, interfaces, routes)
    return problem && found(problem)
  }
}

function targetProblem(
  { gatewayPools, gatewayAddresses }: VpcRows,
  interfaces: VpcNetwork['interfaces'],
  routes: readonly NetworkRoute[],
): keyof typeof routeTexts | undefined {
  const target = routes[0]?.target
  if (target?.type === 'gateway') {
    const attached = [...gatewayPools, ...gatewayAddresses]
    return attached.some(({ internetGatewayId }) => internetGatewayId === target.id)
      ? undefined
      : 'nothing_attached'
  }
  if (target?.type !== 'ip') return undefined
  const nic = interfaces.find(({ ip }) => ip === target.ip)
  if (!nic) return 'nobody_has_target'
  const accepted = [`${nic.ip}/${nic.ip.includes(':') ? 128 : 32}`, ...nic.transitIps]
  return routes.some(({ destination }) => accepted.some((net) => meet(net, destination)))
    ? undefined
    : 'not_accepted'
}

function meet(a: string, b: string): boolean {
  const [x, y] = [parseNet(a), parseNet(b)]
  return x !== undefined && y !== undefined && overlaps(x, y)
}
