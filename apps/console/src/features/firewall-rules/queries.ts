/** Firewall rules of a VPC as the screens read them. */
import { vpcEffects } from '@purlin/contract/operations/vpc-effects'
import { vpcFirewallRulesView } from '@purlin/contract/operations/vpc-firewall-rules'
import { byPrecedence } from '@purlin/contract/rules/firewall'
import type { Result } from '@purlin/contract/op'
import { query } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Rule = Result<typeof vpcFirewallRulesView>['rules'][number]
/** All rules of a VPC, by name in its project or by id. */
export const rulesQuery = ({ project, vpc }: Partial<VpcTarget> & Pick<VpcTarget, 'vpc'>) =>
  query(vpcFirewallRulesView, { query: { vpc, ...(project === undefined ? {} : { project }) } })

/** Which rules of a VPC have no effect, or less than they seem to have. */
export const effectsQuery = ({ project, vpc }: VpcTarget) =>
  query(vpcEffects, { params: { vpc }, query: { project } })
export type RuleEffect = Result<typeof vpcEffects>['rules'][number]

/** In the order of evaluation. */
export const inOrder = (rules: readonly Rule[]): Rule[] => rules.toSorted(byPrecedence)
