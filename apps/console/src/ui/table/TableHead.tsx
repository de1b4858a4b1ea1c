import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'
import { type Column, groupSpans, nextSort } from './columns.ts'
import { pinLeft, pinRight } from './sticky.ts'
import type { TableProps } from './Table.tsx'

const headClass =
  'label-mono relative h-[34px] border-b border-line bg-sunken px-3.5 max-roomy:px-2 text-left align-middle whitespace-nowrap'

export function TableHead<Row>(props: TableProps<Row>) {
  const { columns, actions, selection } = props
  const isGrouped = columns.some(({ group }) => group !== undefined)
  return (
    <thead>
      {isGrouped && (
        <tr>
          {selection && <td className={cx(headClass, 'border-b-0')} />}
          {groupSpans(columns).map(({ id, group, span }) =>
            group ? (
              <th key={id} scope="colgroup" colSpan={span} className={cx(headClass, 'border-line-faint')}>
                {group}
              </th>
            ) : (
              <td key={id} className={cx(headClass, 'border-b-0')} />
            ),
          )}
          {actions && <td className={cx(headClass, 'border-b-0')} />}
        </tr>
      )}
      <tr>
        {selection && <SelectAll {...props} />}
        {columns.map((column, i) => (
          <HeadCell
            key={column.id}
            column={column}
            table={props}
            className={cx(i === 0 && pinLeft(Boolean(selection)), column.align === 'right' && 'text-right')}
          />
        ))}
        {actions && (
          <th scope="col" className={cx(headClass, pinRight, 'px-0')}>
            <span className="sr-only">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

const WithReason = ({ reason, children }: { reason: string | undefined; children: ReactNode }) =>
  reason === undefined ? children : <Tooltip content={reason}>{children}</Tooltip>

function HeadCell<Row>({
  column,
  table: { sort, onSort, orders, orderDisabledReason },
  className,
}: {
  column: Column<Row>
  table: TableProps<Row>
  className: string
}) {
  const { header, tip, order } = column
  const offered = order !== undefined && onSort && orders?.has(order) !== false ? order : undefined
  const isSorted = offered !== undefined && sort?.column === offered
  const direction = sort?.descending ? 'descending' : 'ascending'
  const reason = offered === 'name' ? undefined : orderDisabledReason
  const Arrow = isSorted ? (sort.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <th scope="col" aria-sort={isSorted ? direction : undefined} className={cx(headClass, className)}>
      {/* A tip next to a button needs the distance of two targets. */}
      <span className={cx('inline-flex items-center', offered === undefined ? 'gap-1.5' : 'gap-2.5')}>
        {offered !== undefined ? (
          <WithReason reason={reason}>
            <button
              type="button"
              aria-disabled={reason === undefined ? undefined : true}
              onClick={() => reason === undefined && onSort?.(nextSort(sort, offered))}
              className={cx(
                'group/sort -mx-1 inline-flex items-center gap-1 rounded-sm px-1 py-1 uppercase',
                reason === undefined ? 'hover:text-ink' : 'cursor-not-allowed text-tertiary',
                isSorted && 'text-ink',
              )}
            >
              {header}
              <Arrow
                size={11}
                aria-hidden
                className={cx(!isSorted && 'opacity-60 group-hover/sort:opacity-100')}
              />
            </button>
          </WithReason>
        ) : (
          header
        )}
        {tip && <TipIcon>{tip}</TipIcon>}
      </span>
    </th>
  )
}

function SelectAll<Row>({ rows, rowKey, selection }: TableProps<Row>) {
  const cell = cx(headClass, 'sticky left-0 z-1 w-10 min-w-10 pr-0 max-roomy:pl-3.5')
  if (!selection || selection.mode === 'single') {
    return (
      <th scope="col" className={cell}>
        <span className="sr-only">Select</span>
      </th>
    )
  }
  const keys = rows.filter((row) => !selection.disabledReason?.(row)).map(rowKey)
  const count = keys.filter((key) => selection.selected.has(key)).length
  const isAll = keys.length > 0 && count === keys.length
  const change = () => {
    const others = [...selection.selected].filter((key) => !keys.includes(key))
    selection.onChange(new Set(isAll ? others : [...others, ...keys]))
  }
  return (
    <th scope="col" className={cell}>
      <CheckboxField
        label="Select all rows"
        hideLabel
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={change}
      />
    </th>
  )
}
