import { createRootRoute, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AppLink } from './links.tsx'
import { useCrumbs } from './useCrumbs.ts'
import { LoadingBar } from '#/ui/LoadingBar.tsx'
import { UiLinkProvider } from '#/ui/link.tsx'
import { RouteAnnouncer } from '#/ui/RouteAnnouncer.tsx'

export const Route = createRootRoute({ component: Root })

function Root() {
  const { title, bar } = useCrumbs()
  const loading = useRouterState({ select: (state) => state.status === 'pending' })
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <UiLinkProvider component={AppLink}>
      <LoadingBar loading={loading} run={path} />
      <Outlet />
      <RouteAnnouncer title={[...bar.map((crumb) => crumb.label).toReversed(), 'Purlin'].join(' / ')} />
    </UiLinkProvider>
  )
}
