import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from '#/api/query.ts'
import { guides, sections } from '#/lib/addresses.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { ExternalLink, TextLink } from '#/ui/button/link.tsx'

/** The reason and kind of an error on its screen. */
export interface Reason {
  kind: 'no-role' | 'failed'
  notice: ReactNode
}
interface NoRolesNoticeProps {
  /** The screen with the reason, or without one. Nothing is shown before that is known, so that nothing moves. */
  children: (reason: Reason | undefined) => ReactNode
}

/**
 * The likely reason of a 403: the user has no role, maybe because the identity provider names no groups. Shown wherever a
 * route fails, also without a session.
 */
export const NoRolesNotice = (props: NoRolesNoticeProps) => (
  <QueryClientProvider client={queryClient}>
    <Known {...props} />
  </QueryClientProvider>
)

function Known({ children }: NoRolesNoticeProps) {
  const me = useQuery(ownQueries.me())
  const groups = useQuery(ownQueries.groups())
  const local = useLocalSilo()
  const isKnown = me.isError || !local.isPending
  if (me.isPending || groups.isPending || !isKnown) return null
  if (me.data?.siloRole !== null) return children(undefined)
  const guide = <ExternalLink href={guides.noRole.href}>Read about access control</ExternalLink>
  if (local.silo !== undefined)
    return children({
      kind: 'no-role',
      notice: (
        <>
          {me.data.fleetViewer && (
            <span className="mb-2 block">
              You have a role on the fleet: <TextLink href={sections.silo.list()}>go to System</TextLink>.
            </span>
          )}
          Ask an administrator of {local.silo} for a role. {guide}
        </>
      ),
    })
  if (groups.data?.length !== 0) return children(undefined)
  return children({
    kind: 'failed',
    notice: (
      <>
        You are not in any groups and have no role on the silo. This usually means the identity provider is
        not set up correctly. {guide}
      </>
    ),
  })
}
