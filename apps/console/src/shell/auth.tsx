import { currentUserGroups, currentUserView } from '@purlin/contract/operations/current-user'
import { QueryClientProvider } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { load, query, queryClient } from '#/api/query.ts'
import { lazily } from '#/lib/lazily.tsx'
import { PaletteHost } from './PaletteHost.tsx'
import { onSessionEnded } from '#/api/session.ts'
import { SkeletonShell } from '#/ui/SkeletonShell.tsx'

const SessionDialog = lazily(() => import('./SessionDialog.tsx'), 'SessionDialog')

const minute = 60_000

export const Route = createFileRoute('/_auth')({
  // Runs at every navigation, but both stay fresh for a minute.
  loader: async () => {
    await Promise.all([
      load({ ...query(currentUserView, {}), staleTime: minute }),
      load({ ...query(currentUserGroups, { query: {} }), staleTime: minute }).catch(() => undefined),
    ])
  },
  pendingComponent: SkeletonShell,
  pendingMs: 0,
  component: Authenticated,
})

function Authenticated() {
  const [ended, setEnded] = useState(false)
  useEffect(() => onSessionEnded(() => setEnded(true)), [])
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <PaletteHost />
      {ended && <SessionDialog onDone={() => setEnded(false)} />}
    </QueryClientProvider>
  )
}
