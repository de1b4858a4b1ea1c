import { projectPolicyUpdate, projectPolicyView } from '@purlin/contract/operations/projects'
import { query, queryClient, remember } from '#/api/query.ts'
import { rewrite } from '#/api/rewrite.ts'
import { ExplainedError } from '#/api/errors.ts'
import { changed, roleIn, type RoleChange } from './policy.ts'
import type { Role } from '@purlin/contract/rules/roles'

/**
 * Changes one role on a project. The policy is read again first, so that what others changed since stays;
 * if they changed this very role, nothing is written. Throws ApiError or ExplainedError.
 */
export async function changeProjectRole(project: string, change: RoleChange): Promise<void> {
  const params = { project }
  const policy = await rewrite(
    { view: projectPolicyView, update: projectPolicyUpdate, args: { params } },
    (now) => {
      remember(projectPolicyView, { params }, now)
      const next = changed(now, change)
      if (typeof next === 'string') throw new ExplainedError(next)
      return next
    },
  )
  remember(projectPolicyView, { params }, policy)
}

/** The role an identity has on a project, as last read: what a person knows after a failed change. */
export const knownRole = (project: string, identityId: string): Role | null =>
  roleIn(queryClient.getQueryData(query(projectPolicyView, { params: { project } }).queryKey), identityId)
