/** The content of firewall rules, in words. */
import type { Rule } from '../queries.ts'

export type End = Rule['targets'][number]
export type Protocol = NonNullable<Rule['filters']['protocols']>[number]

/** The types of references to instances or addresses in a rule. */
export const endWords: Record<End['type'], string> = {
  vpc: 'VPC',
  subnet: 'VPC subnet',
  instance: 'Instance',
  ip: 'IP',
  ip_net: 'IP subnet',
}

export const actionWords: Record<Rule['action'], string> = { allow: 'Allow', deny: 'Deny' }
export const directionWords: Record<Rule['direction'], string> = { inbound: 'Inbound', outbound: 'Outbound' }

/** 'TCP'; of ICMP messages also 'type 3 | code 0', or null for all of them. */
export function protocolWords(protocol: Protocol): { protocol: string; messages: string | null } {
  if (protocol.type !== 'icmp') return { protocol: protocol.type.toUpperCase(), messages: null }
  if (!protocol.value) return { protocol: 'ICMP', messages: null }
  const { icmpType, code } = protocol.value
  return { protocol: 'ICMP', messages: `type ${icmpType}${code == null ? '' : ` | code ${code}`}` }
}

/** All packets that a protocol without ICMP type or code stands for; null where it names both. */
export function matchesAllOf(protocol: Protocol): string | null {
  if (protocol.type !== 'icmp') return `All ${protocol.type.toUpperCase()} traffic matches`
  if (!protocol.value) return 'All ICMP messages match'
  return protocol.value.code == null ? `All ICMP messages of type ${protocol.value.icmpType} match` : null
}
