/** Storing changes of the firewall rules of a VPC. */
import { vpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import {
  vpcFirewallRulesUpdate,
  vpcFirewallRulesView,
} from '@purlin/contract/operations/vpcs/vpc-firewall-rules'
import { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { errorMessage } from '#/api/errors.ts'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { invalidate, load, remember } from '#/api/query.ts'
import { rewrite } from '#/api/rewrite.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { LossesOf, lossesOf, type Losses } from '#/features/network-losses/losses.tsx'
import { doneToast, toastFailure } from '#/resource/actions/toasts.tsx'
import { withUndo } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { restoring, type Change } from './rules/changes.ts'
import { rulesQuery, type Rule } from './queries.ts'

/**
 * Reads the rules, changes them and writes them, and repeats this if they have changed since. Returns the rules
 * before and after. Throws ApiError or ExplainedError.
 */
export async function storeChange(target: VpcTarget, change: Change): Promise<Stored> {
  let before: readonly Rule[] = []
  const stored = await rewrite(
    { view: vpcFirewallRulesView, update: vpcFirewallRulesUpdate, args: { query: target } },
    ({ rules }) => {
      before = rules
      return { rules: change(rules) }
    },
  )
  // A form that is opened again at once must not show the rules of before.
  remember(vpcFirewallRulesView, { query: target }, stored)
  return { before, after: stored.rules }
}
interface Stored {
  before: readonly Rule[]
  after: readonly Rule[]
}

/** The request of a change to the rules as they are now. Throws ApiError or ExplainedError. */
export async function changeRequest(target: VpcTarget, change: Change): Promise<ApiRequest> {
  const { rules } = await load({ ...rulesQuery(target), staleTime: 0 })
  return requestTo(vpcFirewallRulesUpdate, { query: target, body: { rules: change(rules) } })
}

/** A change of one rule, and the words for it and its inverse: 'disabled', 'enabled again'. */
export interface RuleChange {
  /** of the rule after the change */
  name: string
  /** before it */
  former?: string
  change: Change
  done: string
  undone: string
}

/** Stores a change after asking for what it takes, and offers to take it back. `stored` runs before the rules are reread. */
export async function runChange(
  target: VpcTarget,
  { name, former = name, change, done, undone }: RuleChange,
  stored: () => unknown = () => undefined,
): Promise<void> {
  await storeOrAsk(target, change, async () => {
    const { before, after } = await storeChange(target, change)
    const inverse = restoring(before, after, { from: former, to: name })
    const undo = () =>
      runOrToast(target, { name: former, former: name, change: inverse, done: undone, undone: done })
    addToast(withUndo(doneToast('Firewall rule', name, done), undo))
    await stored()
    await reloadRules()
  })
}

/** The same for what no form asks: a failure is a notification. */
export async function runOrToast(target: VpcTarget, change: RuleChange): Promise<void> {
  try {
    await runChange(target, change)
  } catch (error) {
    toastFailure('Could not change firewall rule', error)
    await reloadRules()
  }
}

/** The losses of running instances by a change. Throws the errors of the change. */
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
    confirmLabel: 'Change rules',
    modalContent: <LossesOf losses={losses} />,
    errorTitle: 'Could not change firewall rule',
    actionType: 'danger',
    command: () => changeRequest(target, change),
    doAction: store,
  })
}

/** Reads again what shows the rules. */
export const reloadRules = (): Promise<unknown> => invalidate(vpcFirewallRulesView, vpcList, vpcEffects)
