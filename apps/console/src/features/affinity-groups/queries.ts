/** Anti-affinity groups and their members as the screens read them. */
import {
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  type antiAffinityGroupView,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/instances/affinity-groups'
import type { Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { query } from '#/api/query.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { everyPage } from '#/api/everyPage.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'
import { lookUpLimit } from '#/api/everyPage.ts'

export type AntiAffinityGroup = Result<typeof antiAffinityGroupView>
export type GroupMember = Result<typeof antiAffinityGroupMemberList>['items'][number]['value']
/** A group by name, as the address has it. */
export interface GroupTarget {
  project: string
  antiAffinityGroup: string
}

/** All groups of a project. */
export const groupsQuery = (project: string) => everyPage(antiAffinityGroupList, { query: { project } })

/** The groups that an instance is a member of. */
export const groupsOfQuery = (target: InstanceTarget) => {
  const { params, query: scope } = argsOf(target)
  return query(instanceAntiAffinityGroupList, { params, query: { ...scope, limit: lookUpLimit } })
}

// A list of groups requests the members of each; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

/** The members of a group, by name or id. For many groups, only a few requests run at a time. */
export const membersQuery = ({
  project,
  antiAffinityGroup,
}: Partial<GroupTarget> & Pick<GroupTarget, 'antiAffinityGroup'>) => {
  const scope = project === undefined ? {} : { project }
  const read = query(antiAffinityGroupMemberList, {
    params: { antiAffinityGroup },
    query: { ...scope, limit: limits.affinity.members },
  })
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  return { ...read, queryFn }
}
