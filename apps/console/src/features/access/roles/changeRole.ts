import { load, queryClient } from '#/api/query.ts'
import type { ApiRequest } from '#/api/request.ts'
import { ExplainedError } from '#/api/errors.ts'
import type { PolicyData } from '../effectiveRole.ts'
import { policyQuery, policyRequest, rememberPolicy, rewritePolicy, type Place } from '../place.ts'
import { changed, restored, roleIn, type RoleChange } from '../policy.ts'
import type { Role } from '@purlin/contract/rules/roles'

/**
 * Changes one role. The policy is read again first, so that what others changed since stays; if they changed this very
 * role, nothing is written. Returns what takes the change back. Throws ApiError or ExplainedError.
 */
export async function changeRole(place: Place, change: RoleChange): Promise<() => Promise<void>> {
  let before: PolicyData = { roleAssignments: [] }
  const after = await write(place, (now) => {
    before = now
    return changed(now, change)
  })
  return async () => void (await write(place, (now) => restored(now, { before, after, of: change })))
}

/** The request of a change to the policy as it is now. Throws ApiError or ExplainedError. */
export async function changeRequest(place: Place, change: RoleChange): Promise<ApiRequest> {
  const now = await load({ ...policyQuery(place), staleTime: 0 })
  return policyRequest(place, checked(changed(now, change)))
}

/** A policy, unless the change makes no sense. */
function checked(next: PolicyData | string): PolicyData {
  if (typeof next === 'string') throw new ExplainedError(next)
  return next
}

async function write(place: Place, change: (now: PolicyData) => PolicyData | string): Promise<PolicyData> {
  const policy = await rewritePolicy(place, (now) => {
    rememberPolicy(place, now)
    return checked(change(now))
  })
  rememberPolicy(place, policy)
  return policy
}

/** The role an identity has, as last read: what a person knows after a failed change. */
export const knownRole = (place: Place, identityId: string): Role | null =>
  roleIn(queryClient.getQueryData(policyQuery(place).queryKey), identityId)
