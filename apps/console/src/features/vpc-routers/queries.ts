/** The routers of a VPC as screens read and choose them. */
import { vpcRouterRouteList } from '@purlin/contract/operations/vpcs/vpc-routers'
import { everyPage, type Item } from '#/api/everyPage.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { createResource } from '#/resource/form/CreateForm.tsx'
import { kinds } from '#/resource/kinds.ts'

export type Route = Item<typeof vpcRouterRouteList>

// A page may ask for the routes of every router of a VPC; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

/** All routes of a router, by id. For many routers, only a few requests run at a time. */
export function routesQuery(router: string) {
  const read = everyPage(vpcRouterRouteList, { query: { router } })
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  return { ...read, queryFn }
}

/** The options of a form in addition to the ids of routers. */
export const noRouter = 'none'
export const newRouter = 'new'

/** The part of a request that names the router of a subnet; one without it means none. */
export const chosenRouter = (id: string) => (id === noRouter ? {} : { customRouter: id })

/** The same, after a new router was created if one was requested; `onMade` gets its id, so that it is created once. */
export async function routerOf(
  { customRouter, newRouter: name }: { customRouter: string; newRouter: string },
  scope: VpcTarget,
  onMade: (id: string) => void,
): Promise<ReturnType<typeof chosenRouter>> {
  if (customRouter !== newRouter) return chosenRouter(customRouter)
  const { id } = await createResource(kinds.vpcRouter, { scope, body: { name, description: '' } })
  onMade(id)
  return chosenRouter(id)
}
