import { currentUserGroups, currentUserView } from '@purlin/contract/operations/current-user'
import { policyView } from '@purlin/contract/operations/policies'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { query, queryClient } from '#/api/query.ts'
import { guides } from '#/lib/addresses.ts'
import { ExternalLink } from '#/ui/link.tsx'

/** Shown wherever a route fails, also without a session. */
export const NoRolesNotice = () => (
  <QueryClientProvider client={queryClient}>
    <Notice />
  </QueryClientProvider>
)

const quietly = { throwOnError: false, retry: false } as const

/** The likely reason of a 403: the user has no group and no role. */
function Notice() {
  const me = useQuery({ ...query(currentUserView, {}), ...quietly })
  const groups = useQuery({ ...query(currentUserGroups, { query: {} }), ...quietly })
  const policy = useQuery({ ...query(policyView, {}), ...quietly })
  if (!me.data || !groups.data || !policy.data) return null
  const own = policy.data.roleAssignments.some((one) => one.identityId === me.data.id)
  if (groups.data.items.length > 0 || own) return null
  return (
    <>
      You are not in any groups and have no role on the silo. This usually means the identity provider is not
      set up correctly.{' '}
      <ExternalLink href={guides.accessControl.href}>Read about access control</ExternalLink>
    </>
  )
}
