/** The form of a firewall rule: its values, what is wrong with them, and the rule that they make. */
import {
  havePorts,
  icmpCodes,
  icmpTypes,
  portNumbers,
  rangeProblem,
  readRange,
  type RangeProblem,
} from '@purlin/contract/rules/network/firewall'
import { limits } from '@purlin/contract/rules/limits'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'
import { validateName } from '#/lib/input/validate.ts'
import type { NewRule } from './changes.ts'
import type { Rule } from '../queries.ts'
import { endWords, type End, type Protocol } from './words.ts'

export type EndList = 'targets' | 'hosts'
/** An entry of a list while it is being typed. */
export interface EndDraft {
  type: End['type']
  value: string
}
export interface ProtocolDraft {
  type: Protocol['type'] | ''
  icmpType: string
  code: string
}

export interface RuleValues {
  name: string
  description: string
  status: boolean
  action: Rule['action']
  direction: Rule['direction']
  priority: number
  /** Whether it applies to the instances that the targets name, or to all. */
  appliesTo: 'targets' | 'all'
  targets: End[]
  hosts: End[]
  ports: string[]
  protocols: Protocol[]
  draft: { targets: EndDraft; hosts: EndDraft; port: string; protocol: ProtocolDraft }
}

export const noEnd: EndDraft = { type: 'vpc', value: '' }
export const noProtocol: ProtocolDraft = { type: '', icmpType: '', code: '' }
const noDraft = { targets: noEnd, hosts: noEnd, port: '', protocol: noProtocol }

/** Evaluated with the default rules of every VPC, after all rules with a number. */
const weakest = 65_534

export const emptyValues: RuleValues = {
  name: '',
  description: '',
  status: true,
  action: 'allow',
  direction: 'inbound',
  priority: weakest,
  appliesTo: 'targets',
  targets: [],
  hosts: [],
  ports: [],
  protocols: [],
  draft: noDraft,
}

/** The form of a rule that exists. */
export const valuesOf = ({ name, description, status, filters, ...rule }: Rule): RuleValues => ({
  name,
  description,
  status: status === 'enabled',
  action: rule.action,
  direction: rule.direction,
  priority: rule.priority,
  appliesTo: rule.targets.length === 0 ? 'all' : 'targets',
  targets: rule.targets,
  hosts: filters.hosts ?? [],
  ports: filters.ports ?? [],
  protocols: filters.protocols ?? [],
  draft: noDraft,
})

const orNull = <T>(list: T[]): T[] | null => (list.length > 0 ? list : null)

/** The rule of a filled form. */
export const ruleOf = ({
  draft: _,
  appliesTo,
  status,
  hosts,
  ports,
  protocols,
  ...rule
}: RuleValues): NewRule => ({
  ...rule,
  status: status ? 'enabled' : 'disabled',
  targets: appliesTo === 'all' ? [] : rule.targets,
  filters: { hosts: orNull(hosts), ports: orNull(ports), protocols: orNull(protocols) },
})

const full = (list: readonly unknown[], noun: string) =>
  list.length >= limits.firewall.perRule
    ? `A rule can have at most ${limits.firewall.perRule} ${noun}`
    : undefined

const same = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** The problem with a target or host that is to be added. */
export function endProblem({ type, value }: EndDraft, list: readonly End[]): string | undefined {
  const text = value.trim()
  if (list.some((one) => one.type === type && one.value === text)) return `${endWords[type]} already added`
  const check =
    type === 'ip'
      ? validateIpWithoutZone
      : type === 'ip_net'
        ? validateIpNet
        : validateName(`${endWords[type]} name`)
  return check(text) ?? full(list, 'entries in this list')
}

/** The problem with a port or range that is to be added. */
export function portProblem(text: string, list: readonly string[]): string | undefined {
  const port = text.trim()
  if (list.includes(port)) return 'Port range already added'
  if (typeof readRange(port, portNumbers) === 'string')
    return `Not a valid port range: ports are from ${portNumbers.first} to ${portNumbers.last}`
  return full(list, 'port filters')
}

export const icmpTypeProblem = (text: string): string | undefined =>
  text === '' || (!text.includes('-') && rangeProblem(text, icmpTypes) === undefined)
    ? undefined
    : `ICMP type must be a number between ${icmpTypes.first} and ${icmpTypes.last}`

const within = `must be between ${icmpCodes.first} and ${icmpCodes.last}`
const codeWords: Record<RangeProblem, string> = {
  syntax: 'must be a number or numeric range',
  number: within,
  start: `range start ${within}`,
  end: `range end ${within}`,
  order: 'range start must be less than or equal to range end',
}

/** The problem with a code or range of codes; blank is all. */
export function icmpCodeProblem(text: string): string | undefined {
  const problem = text === '' ? undefined : rangeProblem(text, icmpCodes)
  return problem && `ICMP code ${codeWords[problem]}`
}

/** The protocol of a draft, or nothing if it is not complete or wrong. */
export function protocolOf({ type, icmpType, code }: ProtocolDraft): Protocol | undefined {
  if (type === '' || icmpTypeProblem(icmpType) || icmpCodeProblem(code)) return undefined
  if (type !== 'icmp') return { type }
  if (icmpType === '') return { type, value: null }
  return { type, value: { icmpType: Number(icmpType), ...(code === '' ? {} : { code }) } }
}

/** The problem with a protocol that is to be added, apart from its fields. */
export const protocolProblem = (protocol: Protocol, list: readonly Protocol[]): string | undefined =>
  list.some((one) => same(one, protocol)) ? 'Protocol already added' : full(list, 'protocol filters')

/** Ports stand for TCP and UDP; of other protocols they say nothing. */
export const portsWithoutProtocol = ({ ports, protocols }: RuleValues): string | undefined =>
  ports.length > 0 && !havePorts(protocols)
    ? 'ICMP has no ports: add TCP or UDP as well, or remove the ports'
    : undefined

type Narrowed = Pick<RuleValues, 'status' | 'action' | 'direction' | 'hosts' | 'ports' | 'protocols'>

/** Whether a rule lets everything from everywhere in. */
export const isWideOpen = ({ status, action, direction, hosts, ports, protocols }: Narrowed): boolean =>
  status &&
  action === 'allow' &&
  direction === 'inbound' &&
  [hosts, ports, protocols].every(({ length }) => length === 0)
