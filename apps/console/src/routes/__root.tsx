import { createRootRoute, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { lazily } from '../lib/lazily.tsx'
import { confirmStore } from '../parts/confirm.ts'
import { AppLink } from '../parts/links.tsx'
import { useCrumbs } from '../parts/useCrumbs.ts'
import { LoadingBar } from '../ui/LoadingBar.tsx'
import { UiLinkProvider } from '../ui/link.tsx'
import { RouteAnnouncer } from '../ui/RouteAnnouncer.tsx'
import { ToastStack } from '../ui/ToastStack.tsx'

// The dialog's parts are not needed before something asks, and not at all for signing in.
const ConfirmHost = lazily(() => import('../parts/ConfirmHost.tsx'), 'ConfirmHost')

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
