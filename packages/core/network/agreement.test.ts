/**
 * Generated networks, and what becomes of packets in them, by the model and by an evaluator that follows the rules one
 * by one without regard to speed. They share no code.
 */
import { expect, it } from 'vitest'
import {
  instances,
  isTie,
  netWith,
  packet,
  rowsOf,
  subnets,
  type End,
  type Net,
  type Rule,
} from '#/testing/networks/generated-networks.ts'
import fc from '#/testing/properties.ts'
import { forSled, networkOf, type VpcNetwork } from './model.ts'
import { arrive, leave, type Packet } from './packet.ts'
import type { VpcRows } from './rows.ts'
import { endsOf, traceIn, type Trace, type TraceQuestion } from './trace.ts'

// The naive evaluator: numbers of addresses, and lists that are gone through.
const number = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
function within(block: string, ip: string): boolean {
  const [start = '', width = ''] = block.split('/')
  const size = 2 ** (32 - Number(width))
  return Math.floor(number(start) / size) === Math.floor(number(ip) / size)
}
const isNamed = ({ type, value }: End): boolean => {
  if (type === 'subnet') return subnets.some((one) => one.name === value)
  return type !== 'instance' || instances.some((one) => one.name === value)
}
function means({ type, value }: End, ip: string, inside: boolean): boolean {
  if (type === 'vpc') return inside
  if (type === 'subnet') return subnets.some((one) => one.name === value && within(one.block, ip))
  if (type === 'instance') return instances.some((one) => one.name === value && one.ip === ip)
  return type === 'ip' ? ip === value : within(value, ip)
}
function isCarried({ protocols, ports }: Rule, { protocol }: Packet): boolean {
  const isPort = (port: number) =>
    !ports ||
    ports.some((text) => {
      const [first, last = first] = text.split('-').map(Number)
      return port >= (first ?? 0) && port <= (last ?? 0)
    })
  if (!protocols && !ports) return true
  if (protocol.type === 'other') return false
  const any = protocols ?? [{ type: 'tcp' as const }, { type: 'udp' as const }]
  return any.some((one) => {
    if (one.type !== protocol.type) return false
    if (protocol.type !== 'icmp') return isPort(protocol.port)
    if (one.type !== 'icmp' || one.value === null) return true
    const [first = 0, last = first] = one.value.code?.split('-').map(Number) ?? [0, 255]
    return one.value.icmpType === protocol.icmpType && protocol.code >= first && protocol.code <= last
  })
}
/** The deciding rule of a firewall: its name, or null if none matches. */
function decided(
  { rules }: Net,
  direction: Rule['direction'],
  at: { own: string; other: string; inside: boolean; packet: Packet },
): { isAllowed: boolean; by: string | null } {
  const fitting = rules.filter((one) => {
    if (one.status === 'disabled' || one.direction !== direction) return false
    if (one.targets.length > 0 && !one.targets.some((target) => means(target, at.own, true))) return false
    if (one.hosts && !one.hosts.some((host) => isNamed(host) && means(host, at.other, at.inside)))
      return false
    return isCarried(one, at.packet)
  })
  if (fitting.length === 0) return { isAllowed: direction === 'outbound', by: null }
  const lowest = Math.min(...fitting.map(({ priority }) => priority))
  const equal = fitting.filter(({ priority }) => priority === lowest)
  const denying = equal.filter(({ action }) => action === 'deny')
  const [by] = (denying.length > 0 ? denying : equal).map(({ name: called }) => called).toSorted()
  return { isAllowed: denying.length === 0, by: by ?? null }
}

interface Way {
  name: string
  width: number
  custom: boolean
  to: 'local' | 'out' | 'drop' | { ip: string }
}
/** The routes to an address, the one that is used first. */
function waysTo(net: Net, from: (typeof instances)[number], address: string): Way[] {
  const subnet = subnets.find(({ name: called }) => called === from.subnet)
  const found: Way[] = subnets
    .filter(({ block }) => within(block, address))
    .map((one) => ({ name: one.name, width: 24, custom: false, to: 'local' }))
  for (const { name: called, router, destination, target } of net.routes) {
    if (router === 'custom' && subnet?.router !== 'custom') continue
    const block =
      destination.type === 'subnet'
        ? subnets.find((one) => one.name === destination.value)?.block
        : destination.type === 'ip'
          ? `${destination.value}/32`
          : destination.value
    if (block === undefined || !within(block, address)) continue
    if (
      target.type === 'subnet' ||
      (target.type !== 'drop' && (target.value === 'none' || target.value.includes(':')))
    )
      continue
    const to =
      target.type === 'drop'
        ? 'drop'
        : target.type === 'internet_gateway'
          ? 'out'
          : {
              ip:
                target.type === 'ip'
                  ? target.value
                  : (instances.find((one) => one.name === target.value)?.ip ?? ''),
            }
    found.push({ name: called, width: Number(block.split('/')[1]), custom: router === 'custom', to })
  }
  // A system route for the same destination as that of a subnet would tie with it; no request creates one.
  return found.toSorted((x, y) => y.width - x.width || Number(y.custom) - Number(x.custom))
}

/** A step of a packet's path: its kind, whether the packet passes, and the deciding rule or route. */
type NaiveStep = [type: string, passes: boolean, by?: string | null, candidates?: string[]]
/** The way of a packet, and where it ends: at an instance, `outside`, or null. */
function wayOf(
  net: Net,
  from: (typeof instances)[number],
  one: Packet,
): { steps: NaiveStep[]; to: string | null } {
  if (one.source !== from.ip) return { steps: [['source_check', false]], to: null }
  const checked: NaiveStep = ['source_check', true]
  const ways = waysTo(net, from, one.destination)
  const [best] = ways
  if (!best) return { steps: [checked, ['route', false, null, []]], to: null }
  const isOut = best.to === 'out'
  const out = decided(net, 'outbound', { own: from.ip, other: one.destination, inside: !isOut, packet: one })
  const steps: NaiveStep[] = [checked, ['firewall_out', out.isAllowed, out.by]]
  if (!out.isAllowed) return { steps, to: null }
  steps.push(['route', best.to !== 'drop', best.name, ways.map(({ name: called }) => called)])
  if (best.to === 'drop') return { steps, to: null }
  if (isOut) {
    const hasAddress = net.isAttached && from.snat
    steps.push(['gateway', hasAddress])
    return hasAddress ? { steps: [...steps, ['delivery', true]], to: 'outside' } : { steps, to: null }
  }
  const next = typeof best.to === 'object' ? best.to.ip : one.destination
  const to = instances.find(({ ip }) => ip === next)
  if (!to || to.ip !== one.destination)
    return { steps: [...steps, ['delivery', false]], to: to?.name ?? null }
  const into = decided(net, 'inbound', { own: to.ip, other: one.source, inside: true, packet: one })
  steps.push(['firewall_in', into.isAllowed, into.by])
  return { steps: into.isAllowed ? [...steps, ['delivery', true]] : steps, to: to.name }
}

/** The steps of a trace in the words of the naive evaluator. */
const briefly = ({ steps }: Trace): NaiveStep[] =>
  steps.map((step) => {
    const passes = step.result === 'pass'
    switch (step.type) {
      case 'firewall_out':
      case 'firewall_in':
        return [step.type, passes, step.rule?.name ?? null]
      case 'route':
        return [
          step.type,
          passes,
          step.route?.name ?? null,
          step.candidates.map(({ name: called }) => called),
        ]
      case 'source_check':
      case 'gateway':
      case 'external_address':
      case 'delivery':
        return [step.type, passes]
    }
  })

/** A trace gets by with the part of the model that it asks for, there and back. */
function expectSameOfPart(rows: VpcRows, network: VpcNetwork, there: TraceQuestion) {
  const back = { ...there, source: there.destination, destination: there.source }
  for (const question of [there, back]) {
    const part = networkOf(rows, { between: endsOf(question) })
    expect(traceIn(rows, part, question)).toEqual(traceIn(rows, network, question))
  }
}

it('agree on where packets go, on what arrives, and on every step with what decides', () => {
  let passed = 0
  const property = fc.property(
    netWith(6),
    fc.array(packet, { minLength: 20, maxLength: 20 }),
    (one, packets) => {
      fc.pre(!isTie(one))
      const rows = rowsOf(one)
      const network = networkOf(rows)
      const pushed = forSled(network, 'sled', 1)
      for (const sent of packets)
        for (const from of instances) {
          const nic = pushed.interfaces.find(({ id }) => id === from.name)
          if (!nic) throw new Error(from.name)
          const departure = leave(pushed, nic, sent)
          const went =
            departure.type === 'inside'
              ? instances.find(({ ip }) => ip === departure.to.ip)?.name
              : departure.type === 'outside'
                ? 'outside'
                : null
          const { steps, to } = wayOf(one, from, sent)
          const what = JSON.stringify({ one, sent, from: from.name })
          expect(went, what).toBe(to)
          if (went !== null) passed++
          const { source: sourceAddress, destination: ip, protocol } = sent
          const question = { source: { interfaceId: nic.id }, destination: { ip }, protocol, sourceAddress }
          const traced = traceIn(rows, network, question)
          expect(briefly(traced), what).toEqual(steps)
          if (sent === packets[0]) expectSameOfPart(rows, network, question)
          expect(traced.result, what).toBe(steps.at(-1)?.[1] ? 'pass' : 'drop')
          for (const inside of [true, false]) {
            const here = { ...sent, destination: from.ip }
            const verdict = arrive(pushed, nic, { ...here, inside })
            const at = { own: from.ip, other: sent.source, inside, packet: here }
            const { isAllowed, by } = decided(one, 'inbound', at)
            expect(
              typeof verdict === 'object' && [verdict.action === 'allow', verdict.rule?.name ?? null],
              JSON.stringify({ one, here, inside }),
            ).toEqual([isAllowed, by])
          }
        }
    },
  )
  fc.assert(property, { numRuns: 300 })
  expect(passed).toBeGreaterThan(100)
})
