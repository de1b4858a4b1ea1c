/** The question of a trace: as the address of the page keeps it, as its form shows it, and as the server is asked it. */
import type { VpcTraceRequest } from '@purlin/contract/operations/vpc-trace'
import { icmpCodes, icmpTypes, portNumbers, type NumberRange } from '@purlin/contract/rules/firewall'
import { ipProblem } from '@purlin/contract/rules/ip'
import { isUuid } from '@purlin/contract/rules/names'
import type { In } from '@purlin/contract/schema'
import { icmpTypeProblem } from '#/features/firewall-rules/values.ts'
import { validateName } from '#/lib/validate.ts'

type Question = In<typeof VpcTraceRequest>
type End = Question['source']
const protocols = ['tcp', 'udp', 'icmp', 'other'] as const
type TraceProtocol = (typeof protocols)[number]

/** In the address. An end is the name of an instance, the id of an interface, or an IP address. */
export interface TraceSearch {
  from?: string
  to?: string
  protocol?: TraceProtocol
  port?: number
  icmpType?: number
  code?: number
  /** Instances that do not run count as running. */
  assumeRunning?: true
}

/** In the form. */
export interface TraceValues {
  from: string
  to: string
  protocol: TraceProtocol
  /** NaN while it is blank. */
  port: number
  icmpType: string
  code: number
  assumeRunning: boolean
}

const longestEnd = 63
// A link within the page has texts where the reader of addresses makes numbers.
function readNumber(value: unknown, { first, last }: NumberRange): number | undefined {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return Number.isInteger(number) && Number(number) >= first && Number(number) <= last
    ? Number(number)
    : undefined
}

// The reader of addresses makes other values of some words.
const readEnd = (value: unknown): string | undefined =>
  ['string', 'boolean', 'number'].includes(typeof value) && String(value) !== ''
    ? String(value).slice(0, longestEnd)
    : undefined

/** `validateSearch` of the tab: what it does not know is left out. */
export function traceSearch(search: Record<string, unknown>): TraceSearch {
  const port = readNumber(search['port'], portNumbers)
  const [icmpType, code] = [readNumber(search['icmpType'], icmpTypes), readNumber(search['code'], icmpCodes)]
  const [from, to] = [readEnd(search['from']), readEnd(search['to'])]
  const protocol = protocols.find((one) => one === search['protocol'])
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(protocol ? { protocol } : {}),
    ...(port === undefined ? {} : { port }),
    ...(icmpType === undefined ? {} : { icmpType }),
    ...(code === undefined ? {} : { code }),
    ...(String(search['assumeRunning']) === 'true' ? { assumeRunning: true } : {}),
  }
}

const echoRequest = 8

export const valuesOf = (search: TraceSearch): TraceValues => ({
  from: search.from ?? '',
  to: search.to ?? '',
  protocol: search.protocol ?? 'tcp',
  port: search.port ?? Number.NaN,
  icmpType: String(search.icmpType ?? echoRequest),
  code: search.code ?? 0,
  assumeRunning: search.assumeRunning ?? false,
})

/** The address of a filled form: no more than the question takes. */
export const searchOf = ({ from, to, protocol, port, icmpType, code, assumeRunning }: TraceValues) =>
  traceSearch({
    from: from.trim(),
    to: to.trim(),
    protocol,
    ...(protocol === 'tcp' || protocol === 'udp' ? { port } : {}),
    ...(protocol === 'icmp' ? { icmpType: Number(icmpType), code } : {}),
    assumeRunning,
  })

/** What an end's text means; nothing if it is none. */
export function endOf(text: string): End | undefined {
  const value = text.trim()
  if (isUuid(value)) return { type: 'interface', value }
  if (ipProblem(value) === undefined) return { type: 'ip', value }
  return validateName()(value) === undefined ? { type: 'instance', value } : undefined
}

/** What is wrong with an end. */
export const endProblem = (text: string): string | undefined =>
  text.trim() === '' || endOf(text) ? undefined : 'Choose an instance, or enter an IP address'

/** What is wrong with the type of an ICMP message: a packet has one. */
export const oneTypeProblem = (text: string): string | undefined =>
  text === '' ? 'ICMP type is required' : icmpTypeProblem(text)

/** The question of an address; nothing while it is not complete. */
export function questionOf(search: TraceSearch): Question | undefined {
  const source = endOf(search.from ?? '')
  const destination = endOf(search.to ?? '')
  const protocol = protocolOf(search)
  if (!source || !destination || !protocol) return undefined
  return { source, destination, protocol, assumeRunning: search.assumeRunning ?? false }
}

function protocolOf(search: TraceSearch): Question['protocol'] | undefined {
  const { protocol, port, icmpType, code } = search
  switch (protocol) {
    case 'tcp':
    case 'udp':
      return port === undefined ? undefined : { type: protocol, port }
    case 'icmp':
      return { type: protocol, icmpType: icmpType ?? echoRequest, code: code ?? 0 }
    case 'other':
      return { type: protocol }
    case undefined:
      return undefined
  }
}
