import { queryClient } from '#/api/query.ts'
import { ExplainedError } from '#/api/errors.ts'
import { policyQuery, rememberPolicy, rewritePolicy, type Place } from './place.ts'
import { changed, roleIn, type RoleChange } from './policy.ts'
import type { Role } from '@purlin/contract/rules/roles'

/**
 * Changes one role. The policy is read again first, so that what others changed since stays; if they changed this very
 * role, nothing is written. Throws ApiError or ExplainedError.
 */
export async function changeRole(place: Place, change: RoleChange): Promise<void> {
  const policy = await rewritePolicy(place, (now) => {
    rememberPolicy(place, now)
    const next = changed(now, change)
    if (typeof next === 'string') throw new ExplainedError(next)
    return next
  })
  rememberPolicy(place, policy)
}

/** The role an identity has, as last read: what a person knows after a failed change. */
export const knownRole = (place: Place, identityId: string): Role | null =>
  roleIn(queryClient.getQueryData(policyQuery(place).queryKey), identityId)
