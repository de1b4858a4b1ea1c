import { currentUserGroups, currentUserView } from '@purlin/contract/operations/current-user'
import { policyView } from '@purlin/contract/operations/policies'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query, queryClient } from '#/api/query.ts'
import { guides } from '#/lib/addresses.ts'
import { ExternalLink } from '#/ui/link.tsx'

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

const quietly = { throwOnError: false, retry: false } as const

function Known({ children }: NoRolesNoticeProps) {
  const me = useQuery({ ...query(currentUserView, {}), ...quietly })
  const groups = useQuery({ ...query(currentUserGroups, { query: {} }), ...quietly })
  const policy = useQuery({ ...query(policyView, {}), ...quietly })
  if (me.isPending || groups.isPending || policy.isPending) return null
  const hasRole = policy.data?.roleAssignments.some((one) => one.identityId === me.data?.id) ?? true
  const hasGroup = groups.data?.items.length !== 0
  return children(hasRole || hasGroup ? undefined : <Text />)
}

const Text = () => (
  <>
    You are not in any groups and have no role on the silo. This usually means the identity provider is not
    set up correctly. <ExternalLink href={guides.accessControl.href}>Read about access control</ExternalLink>
  </>
)
