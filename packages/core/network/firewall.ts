/** Firewall rules with their names resolved, in the order in which they are evaluated. */
import {
  byPrecedence,
  icmpCodes,
  portNumbers,
  readRange,
  type NumberRange,
} from '@purlin/contract/rules/network/firewall'
import type { Interruptible } from '#/concurrency/checkpoints.ts'
import type { VpcFirewallRuleTable } from '#/db/tables.ts'
import type { NetworkProtocol, NetworkRule } from './sled-network.ts'
import { filtersIn, targetsIn, type Filters, type Reference } from './references.ts'
import type { Names, Place } from './names.ts'
import type { NicRow } from './rows.ts'

/** Why a rule has no effect. */
export type Idle = 'disabled' | 'no target' | 'no host'

/** A rule that is evaluated, with the interfaces that it applies to: undefined for all. */
export interface AppliedRule {
  rule: NetworkRule
  nicIds: ReadonlySet<string> | undefined
}

export interface Firewall {
  /** In order: the first that a packet of its direction fits decides. */
  rules: AppliedRule[]
  /** Rules without effect, by id. */
  idle: Map<string, Idle>
  /** The references of rules that do not exist, by rule. */
  missing: Map<string, Reference[]>
}

/** The rules of a VPC; if only some of its interfaces matter, those that apply to any of these. */
export function* firewallOf(
  rows: readonly VpcFirewallRuleTable[],
  names: Names,
  isPart: boolean,
): Interruptible<Firewall> {
  const idle = new Map<string, Idle>()
  const missing = new Map<string, Reference[]>()
  const rules: AppliedRule[] = []
  for (const row of rows) {
    yield
    if (row.status === 'disabled') {
      idle.set(row.id, 'disabled')
      continue
    }
    const named = targetsIn(row)
    const targets = targetsOf(named, names)
    if (isPart && targets?.size === 0) continue
    const filters = filtersIn(row)
    const unknown = [
      ...named.filter((one) => names.nicsOf(one) === null),
      ...(filters.hosts ?? []).filter((one) => names.placeOf(one) === null),
    ]
    if (unknown.length > 0) missing.set(row.id, unknown)
    const applied = apply({ row, filters, targets }, names)
    if (typeof applied === 'object') rules.push(applied)
    else idle.set(row.id, applied)
  }
  return { rules: rules.toSorted((a, b) => byPrecedence(a.rule, b.rule)), idle, missing }
}

interface Enabled {
  row: VpcFirewallRuleTable
  filters: Filters
  targets: ReturnType<typeof targetsOf>
}

function apply({ row, filters, targets }: Enabled, names: Names): AppliedRule | Idle {
  if (targets === null) return 'no target'
  const hosts = filters.hosts && hostsOf(filters.hosts, names)
  if (filters.hosts && !hosts) return 'no host'
  const { id, name, direction, action, priority } = row
  const rule = { id, name, direction, action, priority, hosts, protocols: protocolsOf(filters) }
  return { rule, nicIds: targets }
}

/** The ids of the interfaces that match any of the targets; undefined for all, null if no name exists. */
function targetsOf(targets: readonly Reference[], names: Names): Set<string> | undefined | null {
  if (targets.length === 0) return undefined
  const lists = targets.map((target) => names.nicsOf(target)).filter((list) => list !== null)
  if (lists.length === 0) return null
  return new Set(lists.flatMap((list: readonly NicRow[]) => list.map(({ id }) => id)))
}

function hostsOf(hosts: readonly Reference[], names: Names): Place | null {
  const places = hosts.map((host) => names.placeOf(host)).filter((place) => place !== null)
  if (places.length === 0) return null
  return {
    inside: places.some(({ inside }) => inside),
    nets: [...new Set(places.flatMap(({ nets }) => nets))],
  }
}

/** The conditions on a packet; null for none. Ports restrict TCP and UDP, and imply both without a protocol. */
function protocolsOf({ protocols, ports }: Filters): NetworkProtocol[] | null {
  if (!protocols && !ports) return null
  const ranges = ports?.flatMap((text) => rangeOf(text, portNumbers)) ?? null
  const given: NonNullable<Filters['protocols']> = protocols ?? [{ type: 'tcp' }, { type: 'udp' }]
  return given.map((one) =>
    one.type === 'icmp'
      ? { type: 'icmp', icmpType: one.value?.icmpType ?? null, codes: codesOf(one.value?.code) }
      : { type: one.type, ports: ranges },
  )
}

const codesOf = (text: string | null | undefined): NumberRange | null =>
  text == null ? null : (rangeOf(text, icmpCodes)[0] ?? null)

function rangeOf(text: string, allowed: NumberRange): NumberRange[] {
  const range = readRange(text, allowed)
  return typeof range === 'string' ? [] : [range]
}
