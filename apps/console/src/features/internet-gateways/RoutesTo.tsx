import { pageOf } from '#/resource/address/pageOf.ts'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Table } from '#/ui/table/Table.tsx'
import { useRoutesTo } from './queries.ts'

/** The routes that lead to a gateway. */
export function RoutesTo({ gateway, scope }: { gateway: string; scope: VpcTarget }) {
  const { routes, isPending } = useRoutesTo(scope, gateway)
  const title = 'Routes targeting this gateway'
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      {isPending && <Skeleton className="h-2.5 w-40" />}
      {!isPending && !routes && <p className="text-secondary">Could not load the routes.</p>}
      {routes?.length === 0 && <p className="text-secondary">No VPC router routes target this gateway.</p>}
      {routes && routes.length > 0 && (
        <Table
          label={title}
          rows={routes}
          rowKey={({ route }) => route.id}
          columns={[
            {
              id: 'router',
              header: 'Router',
              cell: ({ router }) => (
                <TextLink href={pageOf('vpcRouter', { ...scope, name: router.name })}>{router.name}</TextLink>
              ),
            },
            {
              id: 'route',
              header: 'Route',
              cell: ({ router, route }) => (
                <TextLink href={paths.route({ ...scope, router: router.name }, route.id)}>
                  {route.name}
                </TextLink>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}
