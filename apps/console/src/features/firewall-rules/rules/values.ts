/** The form of a firewall rule: its values, what is wrong with them, and the rule that they make. */
import {
  havePorts,
  icmpCodes,
  icmpTypes,
  portNumbers,
  rangeProblem,
  type RangeProblem,
} from '@purlin/contract/rules/network/firewall'
import { limits } from '@purlin/contract/rules/limits'
import { validateIpNet, validateIpWithoutZone } from '#/lib/input/ip.ts'
import { validateBetween, validateName } from '#/lib/input/validate.ts'
import { readEntries } from '#/lib/input/entries.ts'
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

const noEnd: EndDraft = { type: 'vpc', value: '' }
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

export const priorityProblem = validateBetween({ min: 0, max: 65_535 })

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

const full = (length: number, noun: string) =>
  length > limits.firewall.perRule ? `A rule can have at most ${limits.firewall.perRule} ${noun}` : undefined

const same = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** The problem with a target or host of a rule of this VPC. */
export function endProblem({ type, value }: EndDraft, vpc: string): string | undefined {
  if (type === 'ip') return validateIpWithoutZone(value)
  if (type === 'ip_net') return validateIpNet(value)
  const problem = validateName(`${endWords[type]} name`)(value)
  if (problem || type !== 'vpc' || value === vpc) return problem
  return `A rule of ${vpc} can name no other VPC`
}

/** The targets or hosts that a text names, one by one or as a pasted list. */
export const endsOf = (draft: EndDraft, list: readonly End[], vpc: string) =>
  readEntries(draft.value, {
    list,
    entryOf: (value): End => ({ type: draft.type, value }),
    problemOf: (end) => endProblem(end, vpc),
    isFull: (length) => full(length, 'entries in this list'),
  })

const rangeWords: Record<RangeProblem, string> = {
  syntax: 'enter a port such as 22, or two with a dash between them, such as 8000-8080',
  number: `ports are from ${portNumbers.first} to ${portNumbers.last}`,
  start: `ports are from ${portNumbers.first} to ${portNumbers.last}`,
  end: `ports are from ${portNumbers.first} to ${portNumbers.last}`,
  order: 'the first port must not be greater than the last',
}

/** The problem with a port or range. */
function portProblem(port: string): string | undefined {
  const problem = rangeProblem(port, portNumbers)
  return problem && `Not a valid port range: ${rangeWords[problem]}`
}

/** The ports and ranges that a text names, one by one or as a pasted list. Any dash stands in a range, with or without blanks. */
export const portsOf = (text: string, list: readonly string[]) =>
  readEntries(text.replaceAll(/\s*[-–—]\s*/g, '-'), {
    list,
    entryOf: (port) => port,
    problemOf: portProblem,
    isFull: (length) => full(length, 'port filters'),
  })

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

/** A list with one more protocol, or why it cannot be added. One that is listed already changes nothing. */
export function withProtocol(protocol: Protocol, list: readonly Protocol[]): Protocol[] | string {
  if (list.some((one) => same(one, protocol))) return [...list]
  return full(list.length + 1, 'protocol filters') ?? [...list, protocol]
}

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
