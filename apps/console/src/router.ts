/** The router, and what every route may say of itself. */
import { createRouter } from '@tanstack/react-router'
import { RouteError, RouteNotFound } from './parts/RouteError.tsx'
import type { routeTree as whole } from './routeTree.gen.ts'
import { signInTree, wholeTree } from './signInTree.ts'

/** A route's part of the breadcrumbs and of the document title. */
export interface CrumbSpec {
  label: string | ((params: Record<string, string>) => string)
  /** Where the crumb leads; the route's own address unless given. */
  to?: (params: Record<string, string>) => string
  /** A form over a page: in the title only. */
  titleOnly?: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    crumb?: CrumbSpec
    /** The page fills the pane and does not scroll: a terminal. */
    locked?: boolean
  }
}

type Tree = typeof whole
const withTree = (routeTree: Tree) =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    // While a page is on its way the one before it stays, whatever it takes: rows, what is typed, and the focus.
    defaultPendingMs: Infinity,
    scrollRestoration: true,
    scrollToTopSelectors: ['[data-testid="scroll-container"]'],
    defaultPendingComponent: () => null,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
  })

type AppRouter = ReturnType<typeof withTree>

/** Makes the router of the app. Signing in begins with few routes, and fetches the others on the way out. */
export async function makeRouter(): Promise<AppRouter> {
  if (!window.location.pathname.startsWith('/login')) return withTree(await wholeTree())
  const router: AppRouter = withTree(signInTree(() => router))
  // Whoever types is about to leave for another page.
  window.addEventListener('input', () => void wholeTree().catch(() => undefined), { once: true })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
