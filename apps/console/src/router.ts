/** The router, and what every route may say of itself. */
import { createRouter } from '@tanstack/react-router'
import { RouteError, RouteNotFound } from './parts/RouteError.tsx'
import { routeTree } from './routeTree.gen.ts'

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

/** Makes the router of the app. */
export const makeRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 400,
    scrollRestoration: true,
    scrollToTopSelectors: ['[data-testid="scroll-container"]'],
    defaultPendingComponent: () => null,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
