import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { loadById, rack } from '../kinds.ts'
import { rackPageActions } from '../parts/actions.tsx'
import { PresenceBadge } from '../parts/States.tsx'
import { serialCrumb } from '../serialCrumb.ts'
import { RackAsItStands, rackQueries } from './RackAsItStands.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_rack-pages/racks/$rackId')({
  validateSearch: ({ load }: Record<string, unknown>): { load?: 'memory' } =>
    load === 'memory' ? { load } : {},
  loader: async ({ params }) => {
    const [{ serial }] = await Promise.all([loadById(rack, params.rackId), prefetch(...rackQueries())])
    return { serial }
  },
  staticData: serialCrumb('rackId', (name) => sections.rack.view({ name })),
  component: RackPage,
})

const { icon: Icon } = rack

function RackPage() {
  const { load = 'threads' } = Route.useSearch()
  const one = useLoaded(viewQuery(rack, Route.useParams().rackId))
  const { menu } = useActions(rackPageActions, {}, roleScope(rack, {}))
  const items = menu(one)
  useMenuInPalette(items)
  return (
    <>
      <PageHeader icon={<Icon />} title={`Rack ${one.serial ?? ''}`}>
        <PageMenu label="Rack actions" items={items} />
      </PageHeader>
      <PropertiesTable
        properties={[
          idProperty(one.id),
          { label: 'State', value: <PresenceBadge {...one} /> },
          { label: 'Serial', value: <span className="mono">{one.serial}</span> },
          { label: 'Last report', value: one.timeReported && <DateTime date={one.timeReported} /> },
        ]}
      />
      <div className="mt-4">
        <RackAsItStands rackId={one.id} serial={one.serial ?? ''} load={load} />
      </div>
    </>
  )
}
