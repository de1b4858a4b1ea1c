import { projectPolicyUpdate, projectPolicyView } from '@purlin/contract/operations/projects'
import { query, queryClient, remember } from '../../api.ts'
import { rewrite } from '../../rewrite.ts'
import { ApiError } from '../../send.ts'
import { changed, roleIn, type RoleChange } from './policy.ts'
import type { Role } from '@purlin/contract/rules/roles'

/**
 * Changes one role on a project. The policy is read again first, so that what others changed since stays;
 * if they changed this very role, nothing is written. Throws ApiError with words for the person.
 */
export async function changeProjectRole(project: string, change: RoleChange): Promise<void> {
  const params = { project }
  const policy = await rewrite(
    { view: projectPolicyView, update: projectPolicyUpdate, args: { params } },
    (now) => {
      remember(projectPolicyView, { params }, now)
      const next = changed(now, change)
      // In the form of a refusal of the server, because forms and dialogs know how to show that.
      if (typeof next === 'string') throw new ApiError('projectPolicyUpdate', 409, { message: next })
      return next
    },
  )
  remember(projectPolicyView, { params }, policy)
}

/** The role an identity has on a project, as last read: what a person knows after a refusal. */
export const knownRole = (project: string, identityId: string): Role | null =>
  roleIn(queryClient.getQueryData(query(projectPolicyView, { params: { project } }).queryKey), identityId)
