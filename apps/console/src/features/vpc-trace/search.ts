/**
 * The question of a trace as the address of its page keeps it. The tree of routes loads this with every page: it
 * imports nothing of forms.
 */
import { icmpCodes, icmpTypes, portNumbers, type NumberRange } from '@purlin/contract/rules/network/firewall'

const protocols = ['tcp', 'udp', 'icmp', 'other'] as const
export type TraceProtocol = (typeof protocols)[number]

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
