import { QueryClientProvider } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { load, prefetch, queryClient } from '#/api/query.ts'
import { lazily } from '#/lib/lazily.tsx'
import { KeysHost } from './dialogs/KeysHost.tsx'
import { PaletteHost } from './dialogs/PaletteHost.tsx'
import { onSessionEnded } from '#/api/session.ts'
import { roleQueries } from '#/resource/role/useRole.ts'
import { confirmStore } from '#/resource/actions/confirm.ts'
import { SkeletonShell } from '#/ui/feedback/SkeletonShell.tsx'
import { ToastHost } from './dialogs/ToastHost.tsx'
import { loadAfterPage } from './useAfterPage.ts'
import { lazyDialog } from '#/ui/overlay/lazyDialog.tsx'

// Loaded when a dialog opens.
const ConfirmHost = lazyDialog(() => import('./dialogs/ConfirmHost.tsx'), 'ConfirmHost')
const SessionDialog = lazily(() => import('./dialogs/SessionDialog.tsx'), 'SessionDialog')

export const Route = createFileRoute('/_auth')({
  // Runs at every navigation, but all three stay fresh for a minute.
  loader: async () => {
    // The page is shown without them; if they came with the document, its buttons know at once who may press them.
    void prefetch(roleQueries.groups(), roleQueries.silo())
    await load(roleQueries.me())
  },
  pendingComponent: SkeletonShell,
  pendingMs: 0,
  component: Authenticated,
})

/** The page is loaded first, and polls its lists until then. Returns what ends it. */
function followLater(): () => void {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const follow = async () => {
    const { followEvents } = await loadAfterPage()
    if (!isOver) stop = followEvents()
  }
  void follow().catch(reportError)
  return () => stop()
}

function Authenticated() {
  const [ended, setEnded] = useState(false)
  const asking = useSyncExternalStore(confirmStore.subscribe, () => confirmStore.get() !== null)
  useEffect(() => onSessionEnded(() => setEnded(true)), [])
  useEffect(() => followLater(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <PaletteHost />
      <KeysHost />
      <ToastHost />
      {asking && <ConfirmHost />}
      {ended && <SessionDialog onDone={() => setEnded(false)} />}
    </QueryClientProvider>
  )
}
