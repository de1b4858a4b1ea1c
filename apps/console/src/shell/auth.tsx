import { QueryClientProvider } from '@tanstack/react-query'
import { createFileRoute, Outlet, useRouter, type AnyRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { useStore } from '#/lib/store.ts'
import { load, queryClient } from '#/api/query.ts'
import { KeysHost } from './dialogs/KeysHost.tsx'
import { PaletteHost } from './dialogs/PaletteHost.tsx'
import { onSessionEnded, onSignedIn, sessionEnds, setPageUser, type SessionProblem } from '#/api/session.ts'
import { ownQueries } from '#/resource/role/useRole.ts'
import { confirmStore } from '#/resource/actions/confirm.ts'
import { commandStore } from '#/resource/command/commands.ts'
import { SkeletonShell } from '#/ui/feedback/SkeletonShell.tsx'
import { ToastHost } from './dialogs/ToastHost.tsx'
import { loadAfterPage } from './useAfterPage.ts'

// Loaded when a dialog opens.
const CommandHost = lazily(() => import('#/resource/command/CommandHost.tsx'), 'CommandHost')
const ConfirmHost = lazily(() => import('./dialogs/ConfirmHost.tsx'), 'ConfirmHost')
const IdleDialog = lazily(() => import('./dialogs/IdleDialog.tsx'), 'IdleDialog')
const SessionDialog = lazily(() => import('./dialogs/SessionDialog.tsx'), 'SessionDialog')

export const Route = createFileRoute('/_auth')({
  // Runs at every navigation, but the answer stays fresh for a minute.
  loader: async () => setPageUser((await load(ownQueries.me())).id),
  pendingComponent: SkeletonShell,
  pendingMs: 0,
  component: Authenticated,
})

/** The page is loaded first, and polls its lists until then. Returns what ends it. */
function followLater(router: AnyRouter): () => void {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  const follow = async () => {
    const { followEvents, followChanges, followIdle } = await loadAfterPage()
    if (isOver) return
    const ends = [followEvents(), followChanges(router), followIdle()]
    stop = () => ends.forEach((end) => end())
  }
  void follow().catch(reportError)
  return () => stop()
}

function Authenticated() {
  const router = useRouter()
  const [problem, setProblem] = useState<SessionProblem>()
  const asking = useStore(confirmStore) !== null
  const isShowing = useStore(commandStore) !== null
  const isEnding = useStore(sessionEnds) !== undefined
  useEffect(() => onSessionEnded(setProblem), [])
  useEffect(() => onSignedIn(() => setProblem(undefined)), [])
  useEffect(() => followLater(router), [router])
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
      <PaletteHost />
      <KeysHost />
      <ToastHost />
      {isShowing && <CommandHost />}
      {asking && <ConfirmHost />}
      {isEnding && !problem && <IdleDialog />}
      {problem && <SessionDialog problem={problem} onDismiss={() => setProblem(undefined)} />}
    </QueryClientProvider>
  )
}
