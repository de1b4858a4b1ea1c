import type { ComponentState } from '@purlin/contract/rules/updates'
import { useQuery } from '@tanstack/react-query'
import Boxes from 'lucide-react/icons/boxes'
import type { Column } from '#/ui/table/columns.ts'
import { TableCard } from '#/ui/table/TableCard.tsx'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { componentWords } from './progress.ts'
import { componentsQuery, type Component } from './queries.ts'

const states: Record<ComponentState, { word: string; tone: BadgeTone }> = {
  current: { word: 'current', tone: 'ok' },
  pending: { word: 'pending', tone: 'idle' },
  updating: { word: 'updating', tone: 'busy' },
  missing: { word: 'missing', tone: 'danger' },
  other: { word: 'not in release', tone: 'neutral' },
}

const columns: readonly Column<Component>[] = [
  {
    id: 'component',
    header: 'Component',
    isRowHeader: true,
    cell: ({ component, unit }) => (
      <>
        {componentWords(component)} <span className="text-secondary">of {unit.kind}</span>{' '}
        <span className="mono">{unit.serial}</span>
      </>
    ),
  },
  { id: 'version', header: 'Version', mono: true, cell: ({ version }) => version ?? <Dash /> },
  { id: 'wanted', header: 'Wanted', mono: true, cell: ({ wanted }) => wanted ?? <Dash /> },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => (
      <Badge dot tone={states[state].tone}>
        {states[state].word}
      </Badge>
    ),
  },
  { id: 'since', header: 'Since', cell: ({ since }) => <RelativeTime date={since} /> },
]

const rank: readonly ComponentState[] = ['updating', 'missing', 'pending', 'current', 'other']

/** Every component with the version that it has and is to have. Servers of the original API cannot list them. */
export function Components() {
  const { data, error } = useQuery(componentsQuery())
  if (error) return null
  const rows = data?.toSorted(
    (a, b) =>
      rank.indexOf(a.state) - rank.indexOf(b.state) ||
      (`${a.unit.kind}${a.unit.serial}${a.component}` < `${b.unit.kind}${b.unit.serial}${b.component}`
        ? -1
        : 1),
  )
  return (
    <TableCard
      title="Components"
      description="The software and firmware that a release consists of, on every sled and switch."
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      skeletonRows={5}
      rowActions={() => null}
      empty={{
        icon: <Boxes />,
        title: 'No components',
        body: 'No sled or switch has reported its software yet.',
      }}
    />
  )
}
