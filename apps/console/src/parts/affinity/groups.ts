/** Anti-affinity groups and their members as the screens read them. */
import {
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  antiAffinityGroupView,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/affinity'
import type { Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { query } from '../../api.ts'
import { gate } from '../../lib/gate.ts'
import { everyPage } from '../everyPage.ts'
import { argsOf, type InstanceTarget } from '../instance/update.ts'
import { lookUpLimit } from '../paging.ts'

export type AntiAffinityGroup = Result<typeof antiAffinityGroupView>
export type GroupMember = Result<typeof antiAffinityGroupMemberList>['items'][number]['value']
/** A group by name, as the address has it. */
export interface GroupTarget {
  project: string
  antiAffinityGroup: string
}

/** How operations on one group are addressed: by name in its project, or by id alone. */
export const groupArgs = ({
  project,
  antiAffinityGroup,
}: Partial<GroupTarget> & Pick<GroupTarget, 'antiAffinityGroup'>) => ({
  params: { antiAffinityGroup },
  query: project === undefined ? {} : { project },
})

export const groupQuery = (target: GroupTarget) => query(antiAffinityGroupView, groupArgs(target))

/** All groups of a project. */
export const groupsQuery = (project: string) => everyPage(antiAffinityGroupList, { query: { project } })

/** The groups that an instance is a member of. */
export const groupsOfQuery = (target: InstanceTarget) => {
  const { params, query: place } = argsOf(target)
  return query(instanceAntiAffinityGroupList, { params, query: { ...place, limit: lookUpLimit } })
}

// A list of groups asks for the members of each, and the connection is wanted for other things too.
const inTurn = gate(4)

/** The members of a group. Many groups may be asked for at once: few requests are under way at a time. */
export const membersQuery = (target: Parameters<typeof groupArgs>[0]) => {
  const { params, query: place } = groupArgs(target)
  const read = query(antiAffinityGroupMemberList, {
    params,
    query: { ...place, limit: limits.affinity.members },
  })
  const queryFn: typeof read.queryFn = (context) => inTurn(() => read.queryFn(context))
  return { ...read, queryFn }
}
