import { createFileRoute, Outlet } from '@tanstack/react-router'
import { loadOrKeep } from '#/api/query.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { AllocatedIps } from './AllocatedIps.tsx'
import { servicePool, servicePoolQuery } from './ranges/poolRanges.ts'
import { RangesTab } from './ranges/RangesTab.tsx'

export const Route = createFileRoute('/_auth/system/networking/_pools/service-ip-pool')({
  loader: ({ cause }) =>
    Promise.all([loadOrKeep(cause, servicePoolQuery()), loadOrKeep(cause, servicePool.ranges)]),
  staticData: { crumb: { label: 'Service pool', to: () => paths.servicePool } },
  component: ServicePoolPage,
})

const { icon: Icon } = kinds.ipPool
const summary =
  'The service pool has the external addresses of the control plane itself, for example those of its API and its name servers. It cannot be renamed, deleted or linked to silos.'

/** The pool of the control plane itself, of which only the ranges can be changed. */
function ServicePoolPage() {
  const pool = useLoaded(servicePoolQuery())
  return (
    <>
      <PageHeader icon={<Icon />} title="Service pool">
        <DocsPopover topic="the service pool" summary={summary} links={[guides.ipPools]} icon={<Icon />} />
      </PageHeader>
      <Summary
        main={[
          { label: 'Name', value: <span className="mono">{pool.name}</span> },
          { label: 'Allocated', isLong: true, value: <AllocatedIps pool={pool.name} /> },
          { label: 'Version', value: pool.ipVersion },
          ageProperty(pool.timeCreated),
          descriptionProperty(pool.description, inLine),
        ]}
        rest={identityProperties(pool)}
      />
      <section aria-label="Ranges of the pool" className="mt-6">
        <h2 className="mb-3 text-lg font-semibold">IP ranges</h2>
        <RangesTab pool={servicePool} />
      </section>
      <Outlet />
    </>
  )
}
