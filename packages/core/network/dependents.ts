/** The rules and routes of a VPC that name something, and what becomes of them. */
import type { VpcPreview } from '@purlin/contract/operations/vpc-effects'
import type { Out } from '@purlin/contract/schema'
import type { Effects } from './effects.ts'
import type { Destination, Filters, Reference, Target } from './references.ts'
import type { VpcRows } from './rows.ts'

const keyOf = (end: Reference | Destination | Target): string =>
  `${end.type} ${'value' in end ? end.value : ''}`

type Dependent = Out<typeof VpcPreview>['references'][number]

const follows = 'It follows the new name.'
const goesOn = 'It goes on with what else it names.'

/**
 * What has one of these names, of the rows after a change, by name. With the `effects` after it if the names then stand
 * for nothing; without them if they are followed.
 */
export function dependentsOn(
  named: readonly Reference[],
  { rules, routes, routers }: VpcRows,
  effects: Effects | undefined,
): Dependent[] {
  const keys = new Set(named.map(keyOf))
  const names = (end: Reference | Destination | Target) => keys.has(keyOf(end))
  const routerNames = new Map(routers.map(({ id, name }) => [id, name]))
  const ruleEffects = new Map(effects?.rules.map((effect) => [effect.ruleId, effect]))
  const routeEffects = new Map(effects?.routes.map((effect) => [effect.routeId, effect]))
  const becomes = (effect: Effects['rules' | 'routes'][number] | undefined) => ({
    hasEffect: effect?.effect !== 'none',
    text: effect?.text ?? (effects ? goesOn : follows),
  })
  const namingRules = rules.filter(({ targetsJson, filtersJson }) => {
    const { hosts } = JSON.parse(filtersJson) as Filters
    return [...(JSON.parse(targetsJson) as Reference[]), ...(hosts ?? [])].some(names)
  })
  const namingRoutes = routes.filter(
    ({ kind, destinationJson, targetJson }) =>
      kind !== 'vpc_subnet' &&
      (names(JSON.parse(destinationJson) as Destination) || names(JSON.parse(targetJson) as Target)),
  )
  const dependents: Dependent[] = [
    ...namingRules.map(({ id, name }) => ({
      kind: 'firewall_rule' as const,
      id,
      name,
      router: null,
      ...becomes(ruleEffects.get(id)),
    })),
    ...namingRoutes.map(({ id, name, vpcRouterId }) => ({
      kind: 'route' as const,
      id,
      name,
      router: routerNames.get(vpcRouterId) ?? null,
      ...becomes(routeEffects.get(id)),
    })),
  ]
  return dependents.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
