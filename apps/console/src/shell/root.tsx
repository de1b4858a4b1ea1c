import { createRootRoute, Outlet, useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { AppLink } from './links.tsx'
import { titleOf, useCrumbs } from './useCrumbs.ts'
import { LoadingBar } from '#/ui/feedback/LoadingBar.tsx'
import { UiLinkProvider } from '#/ui/button/link.tsx'
import { bare, PathProvider } from '#/ui/layout/path.ts'
import { RouteAnnouncer } from '#/ui/feedback/RouteAnnouncer.tsx'

export const Route = createRootRoute({ component: Root })

function Root() {
  return (
    <UiLinkProvider value={AppLink}>
      <Path>
        <Outlet />
      </Path>
      <Title />
    </UiLinkProvider>
  )
}

/** The title of the document, and what is announced: the page below a form. */
function Title() {
  const { title, bar } = useCrumbs()
  useEffect(() => {
    document.title = title
  }, [title])
  return <RouteAnnouncer title={titleOf(bar)} />
}

/**
 * Provides the path of the shown page until the next one has been loading for a moment; then the line at the top
 * appears. The router's own location changes as soon as a link is pressed: everything that shows the path would
 * render then and again with the page, which is usually ready immediately.
 */
function Path({ children }: { children: ReactNode }) {
  const shown = useMatches({ select: (matches) => bare(matches.at(-1)?.pathname ?? '/') })
  const next = useRouterState({
    select: ({ status, location }) => (status === 'pending' ? location.pathname : undefined),
  })
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    // The line takes as long to fade.
    const timer = setTimeout(() => setLate(!!next), next ? 20 : 300)
    return () => clearTimeout(timer)
  }, [next])
  return (
    <PathProvider value={(isLate && next) || shown}>
      {isLate && <LoadingBar key={next} loading={!!next} />}
      {children}
    </PathProvider>
  )
}
