/** Which instances can reach the outside and be reached from it, by the networks of the sleds. */
import type { InstanceReachability } from '@purlin/contract/operations/vpcs/vpc-effects'
import type { VpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import { formatIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import { yieldToEventLoop, type Interruptible } from '#/concurrency/checkpoints.ts'
import { forSled, type VpcNetwork } from './model.ts'
import { arrive, isIn, leave, type Packet } from './packet.ts'
import type { VpcRows } from './rows.ts'
import type { NetworkProtocol, NetworkRule, SledNetwork } from './sled-network.ts'
import { traceIn } from './trace.ts'
import { wordsOf } from './trace-words.ts'

export type Reachability = Out<typeof InstanceReachability>
type Nic = VpcNetwork['interfaces'][number]
export type Open = Reachability['inbound']['open'][number]
type Loss = Out<typeof VpcPreview>['instances'][number]['losses'][number]

/** Addresses for documentation (RFC 5737, RFC 3849): they represent any address outside. */
export const anywhere = { 4: '192.0.2.1', 6: '2001:db8::1' } as const
const anywhereFor = ({ ip }: Nic): string => anywhere[ip.includes(':') ? 6 : 4]
const ssh = { type: 'tcp', port: 22 } as const
const https: Packet['protocol'] = { type: 'tcp', port: 443 }

const noInterface = {
  result: 'drop',
  reason: 'no_interface',
  text: 'It has no network interface. Stop it and add one.',
} as const
/** Of an instance without interfaces. */
export const unreachable: Omit<Reachability, 'running'> = {
  vpcId: null,
  outbound: { ...noInterface, address: null },
  inbound: { ...noInterface, addresses: [], open: [] },
}

/** A VPC, in which the instance that is looked at counts as running, and what hosts around it do. */
interface Around extends Version {
  /** Whether a host leads an external address to the instance. */
  isLed: (ip: string) => boolean
}

/** Of an interface. */
export function* reachabilityOf(around: Around, nic: Nic): Interruptible<Omit<Reachability, 'running'>> {
  return {
    vpcId: around.rows.vpc.id,
    outbound: outboundOf(around, nic),
    inbound: yield* inboundOf(around, nic),
  }
}

const notLed = (ips: readonly string[]) =>
  ({
    result: 'drop',
    reason: 'no_route',
    text: `No host leads ${ips.join(', ')} to guests. Ask an operator to name the block with --external on a host.`,
  }) as const

function outboundOf({ rows, network, isLed }: Around, nic: Nic): Reachability['outbound'] {
  const source = { interfaceId: nic.id }
  const question = { source, destination: { ip: anywhereFor(nic) }, protocol: https, sourceAddress: null }
  const { result, steps, text } = traceIn(rows, network, question)
  const gateway = steps.find((step) => step.type === 'gateway')
  const from = gateway?.address?.ip
  if (result === 'pass' && from !== undefined && !isLed(from)) return { ...notLed([from]), address: null }
  if (result === 'pass' && gateway)
    return { result, reason: gateway.reason, text: gateway.text, address: gateway.address }
  return { result, reason: steps.at(-1)?.reason ?? 'no_route', text, address: null }
}

function* inboundOf({ rows, network, isLed }: Around, nic: Nic): Interruptible<Reachability['inbound']> {
  const words = wordsOf(rows)
  const none = { addresses: [], open: [] }
  if (nic.nat.inbound.length === 0) {
    const { result, reason, text } = words.noExternalAddress(nic)
    return { result, reason, text, ...none }
  }
  const inbound = nic.nat.inbound.filter(({ ip }) => isLed(ip))
  if (inbound.length === 0) return { ...notLed(nic.nat.inbound.map(({ ip }) => ip)), ...none }
  const pushed = forSled(network, nic.sledId ?? '', 0)
  const open = yield* openTo(pushed, nic, anywhereFor(nic))
  let named = false
  for (const { source, protocol } of namedSources(rows, pushed, nic)) {
    yield
    named ||= admits(pushed, nic, { source, protocol, inside: false })
  }
  const addresses = inbound.map(words.address)
  const at = inbound.map(({ ip }) => ip).join(', ')
  if (open.length > 0)
    return {
      result: 'pass',
      reason: 'rule',
      text: `It can be reached at ${at}: ${open.map(openText).join(', ')}.`,
      addresses,
      open,
    }
  if (named)
    return {
      result: 'pass',
      reason: 'rule',
      text: `It can be reached at ${at}, only from the hosts that rules name.`,
      addresses,
      open,
    }
  return {
    result: 'drop',
    reason: 'no_rule',
    text: `It has ${at}, but no rule lets anything in from outside. Add an inbound rule that does.`,
    addresses,
    open,
  }
}

export function openText({ protocol, firstPort, lastPort }: Open): string {
  const word = protocol === 'other' ? 'other protocols' : protocol.toUpperCase()
  if (firstPort === null || (firstPort === 0 && lastPort === 65_535)) return word
  return `${word} ${firstPort === lastPort ? firstPort : `${firstPort}-${lastPort}`}`
}

/**
 * The traffic from a source outside to an interface. The decision only changes at ports at which a rule begins or
 * ends.
 */
function* openTo(network: SledNetwork, nic: Nic, source: string): Interruptible<Open[]> {
  const passes = (protocol: Packet['protocol']) => admits(network, nic, { source, protocol, inside: false })
  const ports: Open[] = []
  for (const type of ['tcp', 'udp'] as const) {
    const own = nic.rules.flatMap((place) => network.rules[place] ?? [])
    const starts = startsOf(own, type)
    for (const [i, firstPort] of starts.slice(0, mostRanges).entries()) {
      yield
      const lastPort = (starts[i + 1] ?? 65_536) - 1
      if (passes({ type, port: firstPort })) ports.push({ protocol: type, firstPort, lastPort })
    }
  }
  const whole = { firstPort: null, lastPort: null }
  const ping = passes({ type: 'icmp', icmpType: 8, code: 0 }) ? [{ protocol: 'icmp' as const, ...whole }] : []
  const other = passes({ type: 'other' }) ? [{ protocol: 'other' as const, ...whole }] : []
  return [...joined(ports), ...ping, ...other]
}

/** The ports at which the decision of rules may change, in order. */
export function startsOf(rules: readonly NetworkRule[], type: 'tcp' | 'udp'): number[] {
  const starts = new Set([0])
  const isOf = (one: NetworkProtocol): one is Extract<NetworkProtocol, { type: 'tcp' | 'udp' }> =>
    one.type === type
  for (const { protocols } of rules)
    for (const { ports } of protocols?.filter(isOf) ?? [])
      for (const { first, last } of ports ?? []) starts.add(first).add(last + 1)
  return [...starts].filter((port) => port <= 65_535).toSorted((a, b) => a - b)
}

export function joined(list: readonly Open[]): Open[] {
  const found: Open[] = []
  for (const one of list) {
    const before = found.at(-1)
    if (before?.protocol === one.protocol && before.lastPort === (one.firstPort ?? 0) - 1)
      before.lastPort = one.lastPort
    else found.push({ ...one })
  }
  return found
}

function admits(
  network: SledNetwork,
  nic: Nic,
  { source, protocol, inside }: { source: string; protocol: Packet['protocol']; inside: boolean },
): boolean {
  const verdict = arrive(network, nic, { source, destination: nic.ip, protocol, inside })
  return typeof verdict === 'object' && verdict.action === 'allow'
}

/** The ranges of ports that are checked for each protocol, the lowest first. */
const mostRanges = 256
const mostSources = 32

interface Source {
  source: string
  /** what the rule that names it is for */
  protocol: Packet['protocol']
}

/** One address of each outside network that a rule of the interface names, up to this number. */
function namedSources({ subnets }: VpcRows, { rules }: SledNetwork, nic: Nic): Source[] {
  const blocks = subnets.flatMap(({ ipv4Block, ipv6Block }) => [ipv4Block, ipv6Block])
  const sources = new Map<string, Source>()
  for (const place of nic.rules) {
    const rule = rules[place]
    if (rule?.direction !== 'inbound' || rule.action !== 'allow') continue
    for (const net of rule.hosts?.nets ?? []) {
      const base = parseNet(net)?.base
      if (!base || blocks.some((block) => isIn(block, base))) continue
      const source = formatIp(base)
      sources.set(source, { source, protocol: sampleOf(rule) })
      if (sources.size >= mostSources) return [...sources.values()]
    }
  }
  return [...sources.values()]
}

/** A packet that fits a rule. */
function sampleOf({ protocols }: NetworkRule): Packet['protocol'] {
  const [one] = protocols ?? []
  if (!one) return ssh
  return one.type === 'icmp'
    ? { type: 'icmp', icmpType: one.icmpType ?? 8, code: one.codes?.first ?? 0 }
    : { type: one.type, port: one.ports?.[0]?.first ?? ssh.port }
}

/** A VPC before or after a change. */
export interface Version {
  rows: VpcRows
  network: VpcNetwork
}

const lossTexts: Record<Loss, string> = {
  ssh_from_anywhere: 'SSH from anywhere outside',
  ssh_from_named: 'SSH from hosts that rules name',
  ssh_from_inside: 'SSH from within the VPC',
  way_out: 'its way out',
}
export const lossText = (losses: readonly Loss[]): string =>
  `It loses ${losses.map((loss) => lossTexts[loss]).join(', ')}.`

/**
 * The losses of running instances by a change, with their primary interfaces. Interfaces with the same rules are
 * checked once, and other work runs between two checks.
 */
export async function lossesBetween(
  before: Version,
  after: Version,
): Promise<{ nic: Nic; losses: Loss[] }[]> {
  const left = new Map(after.network.interfaces.map((nic) => [nic.id, nic]))
  const known = new Map<string, Loss[]>()
  const found: { nic: Nic; losses: Loss[] }[] = []
  for (const nic of before.network.interfaces) {
    const now = left.get(nic.id)
    if (nic.owner !== 'instance' || !nic.primary || nic.sledId === null || !now) continue
    const key = `${likenessOf(nic)} ${likenessOf(now)}`
    if (!known.has(key)) await yieldToEventLoop()
    const losses = known.get(key) ?? lossesOf([before, nic], [after, now])
    known.set(key, losses)
    if (losses.length > 0) found.push({ nic, losses })
  }
  return found
}

/** Equal for interfaces that can do the same. */
function likenessOf({ ip, rules, routes, dhcp, nat }: Nic): string {
  const isSix = (text: string) => text.includes(':')
  const ways = nat.outbound.map(({ gatewayId, addresses }) => [
    gatewayId,
    addresses.map((one) => isSix(one.ip)),
  ])
  return JSON.stringify([rules, routes, dhcp.router, isSix(ip), nat.inbound.length > 0, ways])
}

type At = [Version, Nic]

function lossesOf(before: At, after: At): Loss[] {
  const [{ rows, network }, nic] = before
  const sources = namedSources(rows, asOnSled(network), nic).map(({ source }) => source)
  const left = new Set(abilities(after, sources))
  const lost = abilities(before, sources).filter((one) => !left.has(one))
  return [...new Set(lost.map((one) => one.split(' ')[0] as Loss))]
}

const asOnSled = ({ shared }: VpcNetwork): SledNetwork => ({ ...shared, version: 0, interfaces: [] })

/** The abilities of an interface, named for their loss; `sources` are checked one by one. */
function abilities([{ network }, nic]: At, sources: readonly string[]): string[] {
  const pushed = asOnSled(network)
  const admit = (source: string, inside: boolean) => admits(pushed, nic, { source, protocol: ssh, inside })
  const fromOutside = [
    ...(admit(anywhereFor(nic), false) ? ['ssh_from_anywhere'] : []),
    ...sources.filter((source) => admit(source, false)).map((source) => `ssh_from_named ${source}`),
  ]
  const out = leave(pushed, nic, { source: nic.ip, destination: anywhereFor(nic), protocol: https })
  return [
    ...(nic.nat.inbound.length > 0 ? fromOutside : []),
    ...(admit(nic.dhcp.router, true) ? ['ssh_from_inside'] : []),
    ...(out.type === 'outside' ? ['way_out'] : []),
  ]
}
