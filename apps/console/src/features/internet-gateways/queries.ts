/** The attachments of internet gateways, and the routes to them. */
import {
  internetGatewayIpAddressList,
  internetGatewayIpPoolList,
  type internetGatewayList,
} from '@purlin/contract/operations/vpcs/internet-gateways'
import { useQueries, useQuery } from '@tanstack/react-query'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { load, type Read } from '#/api/query.ts'
import { routersQuery, type Router } from '#/features/vpc-names/queries.ts'
import { routesQuery, type Route } from '#/features/vpc-routers/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { createSemaphore } from '@purlin/contract/semaphore'

export type Gateway = Item<typeof internetGatewayList>
export type AttachedPool = Item<typeof internetGatewayIpPoolList>
export type AttachedAddress = Item<typeof internetGatewayIpAddressList>

// A list of gateways requests what is attached to each; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })
const limited = <T>(read: Read<T>): Read<T> => ({
  ...read,
  queryFn: (context) => limit(() => read.queryFn(context)),
})

/** The pools attached to a gateway, by its id. */
export const attachedPools = (gateway: string) =>
  limited(everyPage(internetGatewayIpPoolList, { query: { gateway } }))
/** The addresses attached to a gateway, by its id. */
export const attachedAddresses = (gateway: string) =>
  limited(everyPage(internetGatewayIpAddressList, { query: { gateway } }))

/** A route and its router. */
export interface RouteOf {
  router: Router
  route: Route
}

const isTo =
  (gateway: string) =>
  ({ target }: Route) =>
    target.type === 'internet_gateway' && target.value === gateway

/** The routes of all routers of a VPC whose target is a gateway, by its name; undefined while one is missing. */
export function useRoutesTo(vpc: VpcTarget, gateway: string): { routes?: RouteOf[]; isPending: boolean } {
  const { data: routers, isPending } = useQuery({ ...routersQuery(vpc), throwOnError: false })
  const lists = useQueries({
    queries: (routers ?? []).map(({ id }) => ({ ...routesQuery(id), throwOnError: false })),
  })
  if (isPending || lists.some((list) => list.isPending)) return { isPending: true }
  if (!routers || lists.some(({ data }) => !data)) return { isPending: false }
  const routes = routers.flatMap((router, i) =>
    (lists[i]?.data ?? []).filter(isTo(gateway)).map((route) => ({ router, route })),
  )
  return { routes, isPending: false }
}

/** All that refers to a gateway. Throws ApiError. */
export async function usesOf(vpc: VpcTarget, { id, name }: Gateway) {
  const [pools, addresses, routers] = await Promise.all([
    load(attachedPools(id)),
    load(attachedAddresses(id)),
    load(routersQuery(vpc)),
  ])
  const routes = await Promise.all(routers.map((router) => load(routesQuery(router.id))))
  return { pools, addresses, routes: routes.flat().filter(isTo(name)) }
}

/** The props of a dialog that attaches to a gateway. */
export interface AttachProps<T> {
  /** The gateway's id. */
  gateway: string
  /** The present attachments. */
  taken: readonly T[]
  onDismiss: () => void
}
/** The name and description of an attachment that is still to be made. */
export const nothingAttached = { name: '', description: '' }
