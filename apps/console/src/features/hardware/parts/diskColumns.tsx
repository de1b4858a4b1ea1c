import { twoDecimals } from '#/lib/format.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Size } from '#/ui/value/Size.tsx'
import type { Column } from '#/ui/table/columns.ts'
import type { PhysicalDisk } from '../kinds.ts'
import { idColumn, serialColumn } from './columns.tsx'
import { HealthBadge, LifeBadge, PolicyBadge } from './States.tsx'

export const formFactorWords: Record<PhysicalDisk['formFactor'], string> = { u2: 'U.2', m2: 'M.2' }

/** The wear of a disk in percent of the writes that it is rated for; a dash if it does not say. */
export const wearOf = ({ wear }: Pick<PhysicalDisk, 'wear'>) =>
  typeof wear === 'number' ? <span className="mono">{twoDecimals(wear)}%</span> : <Dash />

/** Columns of disks; `more` comes after those that say which disk it is. */
export const diskColumns = (more: readonly Column<PhysicalDisk>[] = []): readonly Column<PhysicalDisk>[] => [
  idColumn('physicalDisk'),
  serialColumn<PhysicalDisk>(({ serial }) => serial),
  { id: 'state', header: 'state', cell: (row) => <LifeBadge {...row} /> },
  {
    id: 'form',
    header: 'Form factor',
    spare: 3,
    cell: ({ formFactor }) => <Badge>{formFactorWords[formFactor]}</Badge>,
  },
  { id: 'model', header: 'model number', spare: 2, mono: true, cell: ({ model }) => model },
  ...more,
  {
    id: 'size',
    header: 'size',
    order: 'size',
    cell: ({ size }) => (typeof size === 'number' ? <Size bytes={size} /> : <Dash />),
  },
  { id: 'health', header: 'health', order: 'health', cell: (row) => <HealthBadge {...row} /> },
  {
    id: 'wear',
    header: 'wear',
    spare: 1,
    align: 'right',
    tip: 'Of the writes that it is rated for',
    cell: wearOf,
  },
  { id: 'policy', header: 'policy', cell: ({ policy }) => <PolicyBadge kind={policy.kind} /> },
]
