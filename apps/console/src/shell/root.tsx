import { createRootRoute, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { confirmStore } from '#/resource/confirm.ts'
import { AppLink } from './links.tsx'
import { useCrumbs } from './useCrumbs.ts'
import { LoadingBar } from '#/ui/LoadingBar.tsx'
import { UiLinkProvider } from '#/ui/link.tsx'
import { RouteAnnouncer } from '#/ui/RouteAnnouncer.tsx'
import { ToastStack } from '#/ui/ToastStack.tsx'
import { lazyDialog } from '#/ui/lazyDialog.tsx'

// Loaded when a dialog opens; the sign-in page does not need it.
const ConfirmHost = lazyDialog(() => import('./ConfirmHost.tsx'), 'ConfirmHost')

export const Route = createRootRoute({ component: Root })

function Root() {
  const { title, bar } = useCrumbs()
  const loading = useRouterState({ select: (state) => state.status === 'pending' })
  const path = useRouterState({ select: (state) => state.location.pathname })
  const asking = useSyncExternalStore(confirmStore.subscribe, () => confirmStore.get() !== null)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <UiLinkProvider component={AppLink}>
      <LoadingBar loading={loading} run={path} />
      <Outlet />
      <RouteAnnouncer title={[...bar.map((crumb) => crumb.label).toReversed(), 'Purlin'].join(' / ')} />
      <ToastStack />
      {asking && <ConfirmHost />}
    </UiLinkProvider>
  )
}
