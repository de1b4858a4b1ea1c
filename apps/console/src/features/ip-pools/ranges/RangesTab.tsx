import { useActions } from '#/resource/actions/actions.tsx'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { roleScope } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import type { PoolRange, RangedPool } from './poolRanges.ts'
import { rangeActions } from './rangeActions.tsx'
import { sizeOfRange } from './ranges.ts'

/** The ranges of a pool, by their first addresses. */
export function RangesTab({ pool }: { pool: RangedPool }) {
  const ranges = useLoaded(pool.ranges)
  const scope = roleScope(kinds.ipPool, {})
  const { lacks } = useRole(...scope)
  const { menu } = useActions(rangeActions(pool), {}, scope)
  const add = (
    <NewButton href={pool.addHref} disabledReason={lacks('admin')}>
      Add range
    </NewButton>
  )
  if (ranges.length === 0)
    return <EmptyState icon={<kinds.ipPool.icon />} title="No IP ranges" body={pool.emptyBody} action={add} />
  return (
    <>
      <div className="mb-3 flex justify-end">{add}</div>
      <Table
        label="IP ranges"
        columns={columns}
        rows={ranges}
        rowKey={({ id }) => id}
        actions={(range) => <RowMenu items={menu(range)} />}
      />
    </>
  )
}

const columns: readonly Column<PoolRange>[] = [
  { id: 'first', header: 'First', mono: true, cell: ({ range }) => range.first },
  { id: 'last', header: 'Last', mono: true, cell: ({ range }) => range.last },
  { id: 'size', header: 'Addresses', mono: true, cell: ({ range }) => <Size size={sizeOfRange(range)} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

const Size = ({ size }: { size: number | undefined }) =>
  size === undefined ? <Dash /> : <BigNum value={size} />
