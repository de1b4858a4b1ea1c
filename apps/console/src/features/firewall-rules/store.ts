/** Storing changes of the firewall rules of a VPC. */
import { vpcEffects } from '@purlin/contract/operations/vpc-effects'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '@purlin/contract/operations/vpc-firewall-rules'
import { invalidate } from '#/api/query.ts'
import { rewrite } from '#/api/rewrite.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import type { Change } from './changes.ts'

/**
 * Reads the rules, changes them and writes them if nobody has written meanwhile; otherwise again. Throws ApiError or
 * ExplainedError.
 */
export const storeChange = (target: VpcTarget, change: Change): Promise<unknown> =>
  rewrite(
    { view: vpcFirewallRulesView, update: vpcFirewallRulesUpdate, args: { query: target } },
    ({ rules }) => ({ rules: change(rules) }),
  )

/** Reads again what shows the rules. */
export const reloadRules = (): Promise<unknown> => invalidate(vpcFirewallRulesView, vpcEffects)
