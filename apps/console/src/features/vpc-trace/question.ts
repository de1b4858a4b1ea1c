/** The question of a trace, in the forms of the page and of the server. */
import type { VpcTraceRequest } from '@purlin/contract/operations/vpcs/vpc-trace'
import { ipProblem } from '@purlin/contract/rules/network/ip'
import { isUuid } from '@purlin/contract/rules/names'
import type { In } from '@purlin/contract/schema'
import { icmpTypeProblem } from '#/features/firewall-rules/rules/values.ts'
import { validateName } from '#/lib/input/validate.ts'
import { traceSearch, type TraceProtocol, type TraceSearch } from './search.ts'

type Question = In<typeof VpcTraceRequest>
type End = Question['source']
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

/** The meaning of an end's text; undefined if it is invalid. */
export function endOf(text: string): End | undefined {
  const value = text.trim()
  if (isUuid(value)) return { type: 'interface', value }
  if (ipProblem(value) === undefined) return { type: 'ip', value }
  return validateName()(value) === undefined ? { type: 'instance', value } : undefined
}

/** The problem with an end. */
export const endProblem = (text: string): string | undefined =>
  text.trim() === '' || endOf(text) ? undefined : 'Choose an instance, or enter an IP address'

/** The problem with the type of an ICMP message: a packet has one. */
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
