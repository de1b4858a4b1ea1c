/** The rules and routes of a VPC that name something or have its address, and what becomes of them. */
import type { VpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import { bitsOf, canonicalIp, formatIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import type { Effects } from './effects.ts'
import { filtersIn, targetsIn, wayIn, type Destination, type Reference, type Target } from './references.ts'
import type { VpcRows } from './rows.ts'

type End = Reference | Destination | Target

/** A network of one address is that address. */
function keyOf(end: End): string {
  if (!('value' in end)) return end.type
  if (end.type === 'ip') return `ip ${canonicalIp(end.value)}`
  const net = end.type === 'ip_net' ? parseNet(end.value) : undefined
  if (net && net.width === bitsOf(net.base.family)) return `ip ${formatIp(net.base)}`
  return `${end.type} ${end.value}`
}

type Dependent = Out<typeof VpcPreview>['references'][number]

const follows = 'It follows the new name.'
const goesOn = 'Its other references stay in effect.'
const keepsAddress = 'It stays in effect for the address, for any interface that gets it next.'

/**
 * The rules and routes with one of these names or addresses, after a change, by name. If the names then refer to
 * nothing, with their effects; if the references follow the change, without.
 */
export function dependentsOn(
  named: readonly Reference[],
  { rules, routes, routers }: VpcRows,
  effects: Effects | undefined,
): Dependent[] {
  const keys = new Set(named.map(keyOf))
  const names = (end: End) => keys.has(keyOf(end))
  const routerNames = new Map(routers.map(({ id, name }) => [id, name]))
  const ruleEffects = new Map(effects?.rules.map((effect) => [effect.ruleId, effect]))
  const routeEffects = new Map(effects?.routes.map((effect) => [effect.routeId, effect]))
  const becomes = (found: Effects['rules' | 'routes'][number] | undefined, ends: readonly End[]) => {
    // The question is about the missing name.
    const effect = found?.reason === 'names_missing' ? undefined : found
    const left = ends.some((end) => keyOf(end).startsWith('ip ')) ? keepsAddress : goesOn
    return {
      hasEffect: effect?.effect !== 'none',
      text: effect?.text ?? (effects ? left : follows),
    }
  }
  const ofRules = rules.flatMap(({ id, name, ...rule }): Dependent[] => {
    const ends = [...targetsIn(rule), ...(filtersIn(rule).hosts ?? [])].filter(names)
    if (ends.length === 0) return []
    return [{ kind: 'firewall_rule', id, name, router: null, ...becomes(ruleEffects.get(id), ends) }]
  })
  const ofRoutes = routes.flatMap(({ id, name, kind, vpcRouterId, ...route }): Dependent[] => {
    const { destination, target } = wayIn(route)
    const ends = [destination, target].filter(names)
    if (kind === 'vpc_subnet' || ends.length === 0) return []
    const router = routerNames.get(vpcRouterId) ?? null
    return [{ kind: 'route', id, name, router, ...becomes(routeEffects.get(id), ends) }]
  })
  const dependents = [...ofRules, ...ofRoutes]
  return dependents.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
