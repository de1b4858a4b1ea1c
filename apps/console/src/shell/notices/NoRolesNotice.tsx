import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#/api/query.ts'
import { guides } from '#/lib/addresses.ts'
import { roleQueries } from '#/resource/role/useRole.ts'
import { ExternalLink } from '#/ui/button/link.tsx'

interface NoRolesNoticeProps {
  /** The screen with the notice, or without one. Nothing is shown before that is known, so that nothing moves. */
  children: (notice: ReactNode) => ReactNode
}

/** The likely reason of a 403: the user has no group and no role. Shown wherever a route fails, also without a session. */
export const NoRolesNotice = (props: NoRolesNoticeProps) => (
  <QueryClientProvider client={queryClient}>
    <Known {...props} />
  </QueryClientProvider>
)

function Known({ children }: NoRolesNoticeProps) {
  const me = useQuery(roleQueries.me())
  const groups = useQuery(roleQueries.groups())
  const policy = useQuery(roleQueries.silo())
  if (me.isPending || groups.isPending || policy.isPending) return null
  const hasRole = policy.data?.roleAssignments.some((one) => one.identityId === me.data?.id) ?? true
  const hasGroup = groups.data?.length !== 0
  return children(hasRole || hasGroup ? undefined : <Text />)
}

const Text = () => (
  <>
    You are not in any groups and have no role on the silo. This usually means the identity provider is not
    set up correctly. <ExternalLink href={guides.accessControl.href}>Read about access control</ExternalLink>
  </>
)
