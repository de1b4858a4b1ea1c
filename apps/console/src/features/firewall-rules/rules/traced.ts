/** The packet of a rule, as the initial question of the trace tab. */
import { portNumbers, readRange } from '@purlin/contract/rules/network/firewall'
import type { Rule } from '../queries.ts'
import type { End } from './words.ts'

/** The first end that is one instance or one address; others stand for many. */
const oneOf = (ends: readonly End[]): string | undefined =>
  ends.find(({ type }) => type === 'instance' || type === 'ip')?.value

/** As much of a question as the rule fixes: its first target, host, protocol and port. */
export function tracedBy({ direction, targets, filters }: Pick<Rule, 'direction' | 'targets' | 'filters'>) {
  const [own, far] = [oneOf(targets), oneOf(filters.hosts ?? [])]
  const [from, to] = direction === 'inbound' ? [far, own] : [own, far]
  const [protocol] = filters.protocols ?? []
  const range = readRange(filters.ports?.[0] ?? '', portNumbers)
  const question: Record<string, string | number> = { protocol: protocol?.type ?? 'tcp' }
  if (from !== undefined) question['from'] = from
  if (to !== undefined) question['to'] = to
  if (typeof range !== 'string' && protocol?.type !== 'icmp') question['port'] = range.first
  if (protocol?.type === 'icmp' && protocol.value) question['icmpType'] = protocol.value.icmpType
  return question
}
