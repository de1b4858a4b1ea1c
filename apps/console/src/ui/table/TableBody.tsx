import { type MouseEvent, type ReactNode, useDeferredValue, useId, useRef } from 'react'
import { cx } from '#/lib/text.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { type Selection, withRange } from './columns.ts'
import { RowHeader } from './rowHeader.ts'
import { pinLeft, pinRight } from './sticky.ts'
import type { TableProps } from './Table.tsx'

const cellClass =
  'relative h-row border-line-faint bg-raised px-3.5 max-roomy:px-2 whitespace-nowrap group-hover/row:bg-hover group-data-selected/row:bg-selected group-not-last/row:border-b'

/** As many rows as a tall window shows. */
const firstRows = 24

/** Rows appear sooner when those below the window are rendered afterwards. Those that are there already stay. */
function useFirstThenAll<Row>(rows: readonly Row[], rowKey: (row: Row) => string): readonly Row[] {
  const settled = useDeferredValue<readonly Row[]>(rows, [])
  if (settled === rows || rows.length <= firstRows) return rows
  const there = new Set(settled.map(rowKey))
  return rows.filter((row, i) => i < firstRows || there.has(rowKey(row)))
}

export function TableBody<Row>({ isLoading, ...table }: TableProps<Row> & { isLoading: boolean }) {
  const { columns, rows, rowKey, actions, selection, skeletonRows = 0, marked } = table
  const shown = useFirstThenAll(rows, rowKey)
  const id = useId()
  const press = usePress(table)
  const header = columns.find(({ id, isRowHeader = id === 'name' }) => isRowHeader)
  if (isLoading) {
    return (
      <SkeletonRows
        rows={skeletonRows}
        cells={columns.length}
        before={Boolean(selection)}
        after={Boolean(actions)}
      />
    )
  }
  return (
    <tbody>
      {shown.map((row) => {
        const key = rowKey(row)
        const isSelected = selection?.selected.has(key) ?? false
        const isMarked = key === marked
        const headerId = `${id}${key}`
        return (
          <tr
            key={key}
            ref={isMarked ? scrollTo : undefined}
            data-selected={isSelected || isMarked || undefined}
            aria-current={isMarked || undefined}
            aria-selected={selection ? isSelected : undefined}
            onClick={pressRow(selection, row, key)}
            className={cx('group/row', selection?.mode === 'single' && 'cursor-pointer')}
          >
            {selection && <BoxCell selection={selection} row={row} rowKey={key} onPress={press} />}
            {columns.map((column, i) => (
              <Cell
                key={column.id}
                headerId={column === header ? headerId : undefined}
                className={cx(
                  cellClass,
                  'py-1',
                  column.mono && 'mono',
                  column.align === 'right' && 'text-right',
                  i === 0 && pinLeft(Boolean(selection)),
                  i === 0 && isMarked && 'shadow-[inset_3px_0_0_var(--accent)]',
                )}
              >
                {column.cell(row)}
              </Cell>
            ))}
            {actions && (
              <td className={cx(cellClass, pinRight, 'pr-2 pl-1 text-right')}>
                <RowHeader value={header ? headerId : undefined}>{actions(row)}</RowHeader>
              </td>
            )}
          </tr>
        )
      })}
      <RowSpacer rows={rows.length - shown.length} />
    </tbody>
  )
}

interface CellProps {
  /** Of the name of the row, which assistive technology reads with its other cells. */
  headerId: string | undefined
  className: string
  children: ReactNode
}

const Cell = ({ headerId, className, children }: CellProps) =>
  headerId ? (
    <th scope="row" id={headerId} className={cx(className, 'text-left font-normal')}>
      {children}
    </th>
  ) : (
    <td className={className}>{children}</td>
  )

const scrollTo = (row: HTMLTableRowElement | null) => row?.scrollIntoView({ block: 'nearest' })

/** Reserves the height of rows that are not rendered yet, so that the scroll position of a page can be restored. */
const RowSpacer = ({ rows }: { rows: number }) =>
  rows > 0 && (
    <tr aria-hidden>
      <td style={{ height: `calc(var(--row) * ${rows})` }} />
    </tr>
  )

// With one row to choose, the whole row is the target; its links and buttons keep their own meaning.
const pressRow = <Row,>(selection: Selection<Row> | undefined, row: Row, key: string) => {
  if (selection?.mode !== 'single') return undefined
  return (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, button, input, label')) return
    if (!selection.disabledReason?.(row)) selection.onChange(new Set([key]))
  }
}

/** Presses the box of a row: with Shift, the rows since the last one that was pressed follow. */
function usePress<Row>({ selection, rows, rowKey }: TableProps<Row>) {
  const last = useRef<string>(undefined)
  return (to: string, isRange: boolean) => {
    if (!selection) return
    const keys = rows.filter((row) => !selection.disabledReason?.(row)).map(rowKey)
    const from = isRange ? last.current : undefined
    last.current = to
    selection.onChange(withRange(selection.selected, keys, { from, to }))
  }
}

interface BoxCellProps<Row> {
  selection: Selection<Row>
  row: Row
  rowKey: string
  onPress: (rowKey: string, isRange: boolean) => void
}

function BoxCell<Row>({ selection, row, rowKey, onPress }: BoxCellProps<Row>) {
  const reason = selection.disabledReason?.(row)
  const isSelected = selection.selected.has(rowKey)
  return (
    <td className={cx(cellClass, 'sticky left-0 z-1 w-10 min-w-10 pr-0')} title={reason}>
      {selection.mode === 'multiple' ? (
        <label className="absolute inset-0 grid place-content-center pl-0.5 select-none">
          <input
            type="checkbox"
            aria-label={selection.labelOf(row)}
            checked={isSelected}
            disabled={Boolean(reason)}
            onChange={({ nativeEvent }) =>
              onPress(rowKey, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
            }
            className="tick-box"
          />
        </label>
      ) : (
        <input
          type="radio"
          aria-label={selection.labelOf(row)}
          checked={isSelected}
          disabled={Boolean(reason)}
          onChange={() => selection.onChange(new Set([rowKey]))}
          className="tick-box align-middle"
        />
      )}
    </td>
  )
}

function SkeletonRows({
  rows,
  cells,
  before,
  after,
}: {
  rows: number
  cells: number
  before: boolean
  after: boolean
}) {
  return (
    <tbody>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row} className="group/row">
          {before && <td className={cellClass} />}
          {before && <td className={cellClass} />}
          {Array.from({ length: cells }, (_unused, cell) => (
            <td key={cell} className={cellClass}>
              <Skeleton
                className={cx('h-2.5 align-middle', ['w-28', 'w-16', 'w-20', 'w-12'][(row + cell) % 4])}
              />
            </td>
          ))}
          {after && <td className={cx(cellClass, pinRight, 'w-10')} />}
        </tr>
      ))}
    </tbody>
  )
}
