/**
 * The routes that the first load of a sign-in holds. Any other address fetches the tree of all routes,
 * puts it in place, and is looked up again.
 */
import { createRoute, redirect, type RegisteredRouter } from '@tanstack/react-router'
import type { routeTree } from './routeTree.gen.ts'
import { Route as root } from './routes/__root.tsx'
import { Route as loginIndex } from './routes/login/index.tsx'
import { Route as loginLocal } from './routes/login/$silo.local.tsx'

const getParentRoute = () => root

/** Fetches the tree of all routes. */
export const wholeTree = () => import('./routeTree.gen.ts').then((file) => file.routeTree)

/** The small tree; `router` is asked for when an address outside of it is visited. */
export function signInTree(router: () => RegisteredRouter): typeof routeTree {
  const rest = createRoute({
    getParentRoute,
    path: '$',
    beforeLoad: async ({ location }) => {
      // The root is one and the same in both trees, so a plain update would not see a change.
      await wholeTree()
      router().setRoutes(router().buildRouteTree())
      redirect({ href: location.href, replace: true, throw: true })
    },
  })
  return root.addChildren([
    loginIndex.update({ id: '/login/', path: '/login/', getParentRoute } as never),
    loginLocal.update({ id: '/login/$silo/local', path: '/login/$silo/local', getParentRoute } as never),
    rest,
  ]) as never
}
