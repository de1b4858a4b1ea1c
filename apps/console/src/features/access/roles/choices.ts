import type { IdentityType, PolicyData } from '../effectiveRole.ts'
import { roleIn } from '../policy.ts'

interface Named {
  id: string
  displayName: string
}
/** Someone a role can be given to. */
export interface Candidate extends Named {
  identityType: IdentityType
}

/** Groups, then users, that hold no role in the policy yet; each by name. */
export function candidates(
  people: { users?: readonly Named[] | undefined; groups?: readonly Named[] | undefined },
  policy: PolicyData | undefined,
): Candidate[] {
  const free = (list: readonly Named[] | undefined, identityType: IdentityType) =>
    (list ?? [])
      .filter(({ id }) => roleIn(policy, id) === null)
      .map(({ id, displayName }) => ({ id, displayName, identityType }))
      .toSorted((a, b) => a.displayName.localeCompare(b.displayName))
  return [...free(people.groups, 'silo_group'), ...free(people.users, 'silo_user')]
}
