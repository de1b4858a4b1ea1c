import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { cloneAction, copyId, type Action } from '#/resource/actions/actions.tsx'
import { moving, removing, siblingsOf, switching } from './rules/changes.ts'
import type { Rule } from './queries.ts'
import { tracedBy } from './rules/traced.ts'
import { changeRequest, lossNote, reloadRules, storeChange, runOrToast, type RuleChange } from './store.tsx'

/** Actions on a rule of a VPC, among all of them. */
export const ruleActions = (target: VpcTarget, rules: readonly Rule[]): Action<Rule>[] => [
  copyId('firewall rule'),
  {
    id: 'edit',
    label: 'Edit',
    role: 'collaborator',
    href: ({ name }) => paths.firewallRuleEdit(target, name),
  },
  cloneAction(({ name }) => paths.firewallRuleNew(target, name)),
  {
    id: 'trace',
    label: 'Trace traffic of this rule',
    href: (rule) => paths.vpcTrace(target, tracedBy(rule)),
  },
  switchAction(target, 'enabled'),
  switchAction(target, 'disabled'),
  moveAction(target, rules, -1),
  moveAction(target, rules, 1),
  {
    id: 'delete',
    label: 'Delete',
    role: 'collaborator',
    isDanger: true,
    confirm: {
      noun: 'firewall rule',
      verb: 'delete',
      done: 'deleted',
      isDanger: true,
      note: ([rule]) => rule && lossNote(target, removing(rule)),
      run: (rule) => remove(target, rule),
      command: (rule) => changeRequest(target, removing(rule)),
      after: reloadRules,
    },
  },
]

/** A change that is stored at once, with its request. */
const changing = (target: VpcTarget, of: (rule: Rule) => RuleChange) => ({
  onAction: (rule: Rule) => runOrToast(target, of(rule)),
  command: (rule: Rule) => changeRequest(target, of(rule).change),
})

const switchAction = (target: VpcTarget, status: Rule['status']): Action<Rule> => ({
  id: status,
  label: status === 'enabled' ? 'Enable' : 'Disable',
  role: 'collaborator',
  isOffered: (rule) => rule.status !== status,
  ...changing(target, (rule) => ({
    name: rule.name,
    change: switching(rule, status),
    done: status,
    undone: `${rule.status} again`,
  })),
})

function moveAction(target: VpcTarget, rules: readonly Rule[], by: -1 | 1): Action<Rule> {
  // Found once: every row asks.
  const ends = (['inbound', 'outbound'] as const).map(
    (direction) => siblingsOf(rules, { direction }).at(by < 0 ? 0 : -1)?.name,
  )
  return {
    id: by < 0 ? 'up' : 'down',
    label: by < 0 ? 'Move up' : 'Move down',
    role: 'collaborator',
    disabledReason: ({ name, direction }) =>
      ends.includes(name) && `It is the ${by < 0 ? 'first' : 'last'} ${direction} rule`,
    ...changing(target, (rule) => ({
      name: rule.name,
      change: moving(rule, by, rules),
      done: by < 0 ? 'moved up' : 'moved down',
      undone: 'moved back',
    })),
  }
}

/** Removes a rule. If that fails, the rules are read again, because another user may have changed them. */
async function remove(target: VpcTarget, rule: Rule): Promise<void> {
  try {
    await storeChange(target, removing(rule))
  } catch (error) {
    await reloadRules()
    throw error
  }
}
