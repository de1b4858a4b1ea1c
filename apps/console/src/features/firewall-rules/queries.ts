/** Firewall rules of a VPC as the screens read them. */
import { vpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import { vpcFirewallRulesView } from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import { byPrecedence } from '@purlin/contract/rules/network/firewall'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { prefetch, query } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Rule = Result<typeof vpcFirewallRulesView>['rules'][number]
/** All rules of a VPC, by name in its project or by id. */
export const rulesQuery = ({ project, vpc }: Partial<VpcTarget> & Pick<VpcTarget, 'vpc'>) =>
  query(vpcFirewallRulesView, { query: { vpc, ...(project === undefined ? {} : { project }) } })

/** How many rules come before the others: more than a window shows. */
const firstCount = 25
const firstRulesQuery = ({ project, vpc }: VpcTarget) =>
  query(vpcFirewallRulesView, { query: { vpc, project, first: firstCount } })

/** A server that does not know the parameter sends all. */
const areAll = (rules: readonly Rule[]): boolean => rules.length !== firstCount

/** Loads the first rules of a VPC. The others are requested once these are shown, because they take longer. */
export const prefetchRules = (target: VpcTarget) => prefetch(firstRulesQuery(target))

/** The rules of a VPC in the order of evaluation, the first ones while the others are on their way. */
export function useRules(target: VpcTarget) {
  const first = useQuery(firstRulesQuery(target))
  const hasAll = first.data !== undefined && areAll(first.data.rules)
  const others = useQuery({ ...rulesQuery(target), enabled: !hasAll && !first.isPending })
  const data = hasAll ? first.data : (others.data ?? first.data)
  return {
    rules: data && inOrder(data.rules),
    hasAll: hasAll || others.data !== undefined,
    error: others.error ?? (first.data ? null : first.error),
    retry: () => void Promise.all([first.refetch(), ...(hasAll ? [] : [others.refetch()])]),
  }
}

/** Which rules of a VPC have no effect, or less than they seem to have. */
export const effectsQuery = ({ project, vpc }: VpcTarget) =>
  query(vpcEffects, { params: { vpc }, query: { project } })
export type RuleEffect = Result<typeof vpcEffects>['rules'][number]

/** In the order of evaluation. */
export const inOrder = (rules: readonly Rule[]): Rule[] => rules.toSorted(byPrecedence)
