/** The checks of a set of firewall rules before it is stored. */
import type { VpcFirewallRuleUpdate } from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import { icmpCodes, portNumbers, readRange } from '@purlin/contract/rules/network/firewall'
import { limits } from '@purlin/contract/rules/limits'
import type { Out } from '@purlin/contract/schema'
import { fault } from '#/faults.ts'
import type { Reference } from '#/network/references.ts'
import { checkHostBits } from './router-routes.ts'

type Rule = Out<typeof VpcFirewallRuleUpdate>

/** Throws 400 for rules that the VPC of this name cannot have. */
export function checkRules(vpcName: string, rules: readonly Rule[]): void {
  checkLength('rules', rules, limits.firewall.rules)
  for (const rule of rules) checkLengths(rule)
  checkNames(rules)
  for (const { targets, filters } of rules) {
    for (const port of filters.ports ?? []) checkRange('l4_port_range', readRange(port, portNumbers))
    for (const one of filters.protocols ?? [])
      if (one.type === 'icmp' && one.value?.code != null)
        checkRange('code', readRange(one.value.code, icmpCodes))
    for (const one of [...targets, ...(filters.hosts ?? [])])
      if (one.type === 'ip_net') checkHostBits(one.value)
    checkVpcs(vpcName, targets, 'target')
    checkVpcs(vpcName, filters.hosts ?? [], 'host filter')
  }
}

function checkLengths({ targets, filters }: Rule): void {
  const { perRule } = limits.firewall
  checkLength('targets', targets, perRule)
  for (const name of ['hosts', 'ports', 'protocols'] as const)
    checkLength(`filters.${name}`, filters[name] ?? [], perRule)
}

function checkLength(field: string, { length }: readonly unknown[], most: number): void {
  if (length > most) throw fault.invalidValue(field, `max length ${most}`)
}

function checkNames(rules: readonly Rule[]): void {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { name } of rules) (seen.has(name) ? twice : seen).add(name)
  if (twice.size === 0) return
  const names = [...twice].map((name) => JSON.stringify(name)).join(', ')
  throw fault.invalid(`Rule names must be unique. Duplicates: [${names}]`)
}

function checkRange(field: string, range: ReturnType<typeof readRange>): void {
  if (typeof range === 'string') throw fault.invalidValue(field, range)
}

/** A rule can name only its own VPC: packets of others are unknown. */
function checkVpcs(vpcName: string, list: readonly Reference[], what: 'target' | 'host filter'): void {
  if (list.some((one) => one.type === 'vpc' && one.value !== vpcName))
    throw fault.invalid(`cross-VPC firewall ${what} unsupported`)
}
