import { currentUserGroups, currentUserView } from '@purlin/contract/operations/session'
import { policyView } from '@purlin/contract/operations/silo'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiError, query } from '../api.ts'
import { guides } from '../paths.ts'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'
import { ExternalLink } from '../ui/link.tsx'
import { useSignOut } from './useSignOut.ts'

const quietly = { throwOnError: false, retry: false } as const

/** The likely reason of a refusal: nobody has put this person into a group or given them a role. */
function NoRolesNotice() {
  const me = useQuery({ ...query(currentUserView, {}), ...quietly })
  const groups = useQuery({ ...query(currentUserGroups, { query: {} }), ...quietly })
  const policy = useQuery({ ...query(policyView, {}), ...quietly })
  if (!me.data || !groups.data || !policy.data) return null
  const own = policy.data.roleAssignments.some((one) => one.identityId === me.data.id)
  if (groups.data.items.length > 0 || own) return null
  return (
    <>
      You are not in any groups and have no role on the silo. This usually means the identity provider is not set up
      correctly. <ExternalLink href={guides.accessControl.href}>Read about access control</ExternalLink>
    </>
  )
}

/** What stands in place of a route that failed. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  const signOut = useSignOut()
  const api = error instanceof ApiError ? error : undefined
  if (!api) console.error(error)
  return (
    <ErrorScreen
      kind={api?.status === 404 ? 'not-found' : 'failed'}
      notice={api?.status === 403 ? <NoRolesNotice /> : undefined}
      requestId={api?.requestId}
      onRetry={() => void router.invalidate()}
      onSignOut={signOut.run}
      signingOut={signOut.pending}
    />
  )
}

/** No such page. */
export function RouteNotFound() {
  const signOut = useSignOut()
  return <ErrorScreen kind="not-found" onSignOut={signOut.run} signingOut={signOut.pending} />
}
