import { currentUserGroups, currentUserView } from '@purlin/contract/operations/session'
import { policyView } from '@purlin/contract/operations/silo'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { query, queryClient } from '../api.ts'
import { guides } from '../paths.ts'
import { ExternalLink } from '../ui/link.tsx'

/** Stands wherever a route fails, also outside the signed-in area and its cache. */
export const NoRolesNotice = () => (
  <QueryClientProvider client={queryClient}>
    <Notice />
  </QueryClientProvider>
)

const quietly = { throwOnError: false, retry: false } as const

/** The likely reason of a refusal: nobody has put this person into a group or given them a role. */
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
