/** Why nothing can be added to a group now, in words. Undefined where something can. */
import { instanceCan, type InstanceState } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'

interface Named {
  name: string
}

/** Those of a list that are not yet among others. */
export const without = <T extends Named>(all: readonly T[], taken: readonly Named[]): T[] => {
  const names = new Set(taken.map(({ name }) => name))
  return all.filter(({ name }) => !names.has(name))
}

/** For a group: its members, and whether its project has further instances as far as that is known. */
export function addMemberDisabledReason(
  members: readonly Named[],
  others: { isEmpty: boolean | undefined },
): string | undefined {
  if (members.length >= limits.affinity.members) return 'Maximum number of members reached'
  if (!others.isEmpty) return undefined
  return members.length === 0 ? 'No instances available' : 'All instances are already in this group'
}

/** For an instance: the groups it is in, and all groups of its project. */
export function joinDisabledReason(
  state: InstanceState,
  joined: readonly Named[],
  groups: readonly Named[],
): string | undefined {
  if (!instanceCan('addToAffinityGroup', state)) return 'Only stopped instances can be added to a group'
  if (groups.length === 0) return 'No groups found'
  if (without(groups, joined).length === 0) return 'Instance is already in all groups'
  const most = limits.affinity.groupsPerInstance
  return joined.length >= most ? `An instance can be in ${most} groups at most` : undefined
}
