/**
 * The routes in the first load of the sign-in page. Any other address loads the tree of all routes,
 * installs it, and is matched again.
 */
import { createRoute, redirect, type RegisteredRouter } from '@tanstack/react-router'
import type { routeTree } from './routeTree.gen.ts'
import { addListAddresses } from './shell/listAddresses.ts'
import { Route as root } from './shell/root.tsx'
import { Route as loginIndex } from './features/sign-in/choose.tsx'
import { Route as loginLocal } from './features/sign-in/local.tsx'
import { Route as loginOidc } from './features/sign-in/oidc.tsx'
import { Route as loginSaml } from './features/sign-in/saml.tsx'
import { Route as loginSilo } from './features/sign-in/silo.tsx'

const getParentRoute = () => root

/** Loads the tree of all routes. */
export const wholeTree = () => import('./routeTree.gen.ts').then((file) => addListAddresses(file.routeTree))

/** The small tree; `router` is used when an address outside of it is visited. */
export function signInTree(router: () => RegisteredRouter): typeof routeTree {
  const rest = createRoute({
    getParentRoute,
    path: '$',
    beforeLoad: async ({ location }) => {
      // Both trees have the same root, so a plain update would detect no change.
      await wholeTree()
      router().setRoutes(router().buildRouteTree())
      redirect({ href: location.href, replace: true, throw: true })
    },
  })
  return root.addChildren([
    loginIndex.update({ id: '/login/', path: '/login/', getParentRoute } as never),
    loginLocal.update({ id: '/login/$silo/local', path: '/login/$silo/local', getParentRoute } as never),
    loginSilo.update({ id: '/login/$silo/', path: '/login/$silo/', getParentRoute } as never),
    loginSaml.update({
      id: '/login/$silo/saml/$provider',
      path: '/login/$silo/saml/$provider',
      getParentRoute,
    } as never),
    loginOidc.update({
      id: '/login/$silo/oidc/$provider',
      path: '/login/$silo/oidc/$provider',
      getParentRoute,
    } as never),
    rest,
  ]) as never
}
