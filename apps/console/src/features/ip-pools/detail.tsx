import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { loadOrKeep, prefetch, readAnew } from '#/api/query.ts'
import { paths, sections, type PoolTab } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { poolActions, poolDocs } from './actions.tsx'
import { AllocatedIps } from './AllocatedIps.tsx'
import { linksQuery, utilizationQuery } from './operatorQueries.ts'
import { rangedPool } from './ranges/poolRanges.ts'
import { RangesTab } from './ranges/RangesTab.tsx'
import { SilosTab } from './SilosTab.tsx'

export const Route = createFileRoute('/_auth/system/networking/_pools/ip-pools/$pool')({
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'silos' } => (tab === 'silos' ? { tab } : {}),
  loader: ({ params: { pool }, cause }) =>
    Promise.all([
      loadOrKeep(cause, viewQuery(kinds.ipPool, pool)),
      prefetch(rangedPool(pool).ranges, linksQuery(pool), utilizationQuery(pool)),
    ]),
  staticData: {
    crumb: {
      label: (params) => params['pool'] ?? '',
      to: (params) => sections.ipPool.view({ name: params['pool'] ?? '' }),
    },
  },
  component: PoolPage,
})

const { icon: Icon } = kinds.ipPool
const tabs: readonly [string, PoolTab][] = [
  ['IP ranges', 'ranges'],
  ['Linked silos', 'silos'],
]

function PoolPage() {
  const { pool: name } = Route.useParams()
  const { tab: shown = 'ranges' } = Route.useSearch()
  const navigate = useNavigate()
  const pool = useLoaded(viewQuery(kinds.ipPool, name))
  const leave = async () => {
    // A list that still had the pool would ask how many of its addresses are free.
    await readAnew(kinds.ipPool.list)
    await navigate({ href: sections.ipPool.list() })
  }
  const actions = poolActions(leave)
  const { menu } = useActions(actions, {}, roleScope(kinds.ipPool, {}))
  const items = menu(pool)
  useMenuInPalette(items, pool)
  return (
    <>
      <PageHeader icon={<Icon />} title={pool.name}>
        <DocsPopover topic="IP pools" {...poolDocs} icon={<Icon />} />
        <PageMenu label="IP pool actions" items={items} />
      </PageHeader>
      <Summary
        main={[
          { label: 'Allocated', isLong: true, value: <AllocatedIps pool={name} /> },
          { label: 'Version', value: pool.ipVersion },
          ageProperty(pool.timeCreated),
          descriptionProperty(pool.description, inLine),
        ]}
        rest={identityProperties(pool)}
      />
      <Tabs
        label="IP pool"
        className="mt-6"
        tabs={tabs.map(([label, tab]) => ({
          label,
          href: paths.poolTab(name, tab),
          isActive: tab === shown,
        }))}
      >
        {shown === 'silos' ? <SilosTab pool={name} /> : <RangesTab pool={rangedPool(name)} />}
      </Tabs>
      <Outlet />
    </>
  )
}
