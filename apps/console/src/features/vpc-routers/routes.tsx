import type { vpcRouterRouteList } from '@purlin/contract/operations/vpcs/vpc-routers'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, nameColumn } from '#/resource/list/columns.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { RouteEnd } from './RouteEnd.tsx'
import { RouteEffect } from './RouteEffect.tsx'
import { routeActions } from './routeActions.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_router-pages/routers/$router/_routes',
)({
  ...listRoute(kinds.vpcRouterRoute),
  loader: (match) => loadList(routes, match),
  component: RouteList,
})

const routes: ListOf<typeof vpcRouterRouteList> = {
  kind: kinds.vpcRouterRoute,
  isTab: true,
  heading: 'Routes',
  docs: {
    summary:
      'A route sends packets for a destination to a target. The most specific route of a router counts.',
    links: [guides.routes, guides.networking],
  },
  actions: (_, scope) => routeActions(scope),
  columns: (_, scope) => [
    nameColumn(kinds.vpcRouterRoute, scope),
    { id: 'kind', header: 'kind', cell: ({ kind }) => <Badge>{kind.replaceAll('_', ' ')}</Badge> },
    {
      id: 'destination',
      header: 'destination',
      cell: (route) => <RouteEnd route={route} end="destination" scope={scope} />,
    },
    {
      id: 'target',
      header: 'target',
      cell: (route) => <RouteEnd route={route} end="target" scope={scope} />,
    },
    {
      id: 'effect',
      header: 'effect',
      tip: 'Whether packets follow the route as things are now.',
      cell: ({ id }) => <RouteEffect id={id} scope={scope} />,
    },
    createdColumn,
  ],
}

const systemReason = 'User-provided routes cannot be added to a system router'

function RouteList() {
  const scope = Route.useParams()
  const { data } = useQuery({ ...viewQuery(kinds.vpcRouter, scope.router, scope), throwOnError: false })
  const create = {
    ...routes.create,
    ...(data?.kind === 'system' ? { disabledReason: systemReason } : {}),
  }
  return <ResourceList list={{ ...routes, create }} />
}
