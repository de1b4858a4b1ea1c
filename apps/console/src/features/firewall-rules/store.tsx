/** Storing changes of the firewall rules of a VPC. */
import { vpcEffects } from '@purlin/contract/operations/vpc-effects'
import { vpcFirewallRulesUpdate, vpcFirewallRulesView } from '@purlin/contract/operations/vpc-firewall-rules'
import { vpcList } from '@purlin/contract/operations/vpcs'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, load } from '#/api/query.ts'
import { rewrite } from '#/api/rewrite.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/confirm.ts'
import { LossesOf, lossesOf, type Losses } from '#/features/network-losses/losses.tsx'
import type { Change } from './changes.ts'
import { rulesQuery } from './queries.ts'

/**
 * Reads the rules, changes them and writes them if nobody has written meanwhile; otherwise again. Throws ApiError or
 * ExplainedError.
 */
export const storeChange = (target: VpcTarget, change: Change): Promise<unknown> =>
  rewrite(
    { view: vpcFirewallRulesView, update: vpcFirewallRulesUpdate, args: { query: target } },
    ({ rules }) => ({ rules: change(rules) }),
  )

/** What running instances would lose by a change. Throws what the change throws. */
async function lossesBy(target: VpcTarget, change: Change): Promise<Losses> {
  const { rules } = await load({ ...rulesQuery(target), staleTime: 0 })
  return lossesOf(target, { type: 'firewall_rules', rules: change(rules) })
}

/** The losses by a change, or why it cannot be made, as a note of the question before it. */
export const lossNote = (target: VpcTarget, change: Change) =>
  lossesBy(target, change).then((losses) => <LossesOf losses={losses} />, errorMessage)

/** Stores a change by `store`; asks before it if running instances lose something by it. */
export async function storeOrAsk(
  target: VpcTarget,
  change: Change,
  store: () => Promise<unknown>,
): Promise<unknown> {
  const losses = await lossesBy(target, change)
  if (!losses?.totalInstances) return store()
  return confirmAction({
    modalTitle: 'Change firewall rules',
    modalContent: <LossesOf losses={losses} />,
    errorTitle: 'Could not change firewall rule',
    actionType: 'danger',
    doAction: store,
  })
}

/** Reads again what shows the rules. */
export const reloadRules = (): Promise<unknown> => invalidate(vpcFirewallRulesView, vpcList, vpcEffects)
