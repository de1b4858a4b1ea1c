/** The router, and the static data of routes. */
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { RouteError, RouteNotFound } from './shell/RouteError.tsx'
import type { routeTree as whole } from './routeTree.gen.ts'
import { signInTree, wholeTree } from './signInTree.ts'

/** A route's part of the breadcrumbs and of the document title. */
export interface CrumbSpec {
  /** `loaded` is what the loader of the route has returned; undefined before that. */
  label: string | ((params: Record<string, string>, loaded: unknown) => string)
  /** Where the crumb leads; the route's own address unless given. */
  to?: (params: Record<string, string>) => string
  /** In the title only: a form above a page. */
  titleOnly?: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    crumb?: CrumbSpec
    /** A list around its panels and forms: its address is its id. */
    isList?: true
    /** A panel of one resource, without a form: the address of its list. */
    panelOver?: (params: Record<string, string>) => string
    /** The page fills the pane and does not scroll: a terminal. */
    locked?: boolean
  }
}

type Tree = typeof whole

/** A router over these routes; the history is that of the window unless given. */
export const createAppRouter = (routeTree: Tree, history?: RouterHistory) =>
  createRouter({
    routeTree,
    // One that is not the window's has nothing that scrolls.
    ...(history ? { history } : { scrollRestoration: true }),
    defaultPreload: 'intent',
    // A pointer that only passes is on a link for less.
    defaultPreloadDelay: 20,
    defaultPreloadStaleTime: 0,
    // The previous page stays until the next one is loaded, with its rows, input and focus.
    defaultPendingMs: Infinity,
    // A skeleton gives way to its page immediately. The default is to show it for half a second at least.
    defaultPendingMinMs: 0,
    scrollToTopSelectors: ['[data-testid="scroll-container"]'],
    defaultPendingComponent: () => null,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
  })

type AppRouter = ReturnType<typeof createAppRouter>

/** Creates the router. The sign-in page starts with few routes and loads the others when it is left. */
export async function makeRouter(): Promise<AppRouter> {
  if (!window.location.pathname.startsWith('/login')) return createAppRouter(await wholeTree())
  const router: AppRouter = createAppRouter(signInTree(() => router))
  // Typing means that the user will sign in and navigate.
  window.addEventListener('input', () => void wholeTree().catch(() => undefined), { once: true })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
