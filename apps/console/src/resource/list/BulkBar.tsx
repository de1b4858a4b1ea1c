import { limits } from '@purlin/contract/rules/limits'
import { useState } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import type { Action, UsableActions } from '../actions/actions.tsx'
import type { Shown } from '../actions/bulkActions.tsx'
import { sizeOf } from '../actions/askOne.tsx'
import { useQuickActions } from '../actions/quickActions.ts'
import type { Identified } from '../kind.ts'

export interface BulkBarProps<R> {
  actions: readonly Action<R>[]
  usable: UsableActions<R>
  shown: Shown<R>
  selected: readonly R[]
  isAll: boolean
  isWholePage: boolean
  onAll: () => void
  onClear: () => void
}

/** The actions for all selected rows. */
export function BulkBar<R extends Identified>({
  actions,
  usable,
  shown,
  selected,
  isWholePage,
  ...of
}: BulkBarProps<R>) {
  const { rows, total } = shown
  const isAble = (action: Action<R>, row: R) => !usable.reason(action, row) || usable.roleReason(action)
  const offered = actions.filter(
    (action) => of.isAll || !action.isHiddenForNone || selected.some((row) => isAble(action, row)),
  )
  const canTakeAll = isWholePage && total !== undefined && total > selected.length
  return (
    <div className="flex flex-wrap items-center gap-2 whitespace-nowrap">
      <span role="status" className="text-secondary">
        {of.isAll ? `All ${total?.toLocaleString()} that match selected` : selectionWords(selected, rows)}
      </span>
      {canTakeAll &&
        !of.isAll &&
        actions.every(({ confirm, formForMany }) => confirm?.task ?? formForMany) && (
          <Button size="small" variant="ghost" onClick={of.onAll} disabledReason={tooMany(total)}>
            Select all {total.toLocaleString()} that match
          </Button>
        )}
      {offered.map((action) => (
        <BulkButton
          key={action.id}
          action={action}
          usable={usable}
          rows={selected}
          all={of.isAll ? shown.matching : undefined}
          number={(of.isAll ? total : undefined) ?? selected.length}
          onDone={of.onClear}
        />
      ))}
      <Button size="small" variant="ghost" onClick={of.onClear}>
        Clear selection
      </Button>
    </div>
  )
}

const tooMany = (total: number) =>
  total > limits.task.items &&
  `At most ${limits.task.items.toLocaleString()} rows per action: search or filter first`

/** '5 selected, 4 GiB, 2 of them on other pages' */
function selectionWords<R extends Identified>(selected: readonly R[], rows: readonly R[]): string {
  const size = sizeOf(selected)
  const elsewhere = selected.filter(({ id }) => !rows.some((row) => row.id === id)).length
  return [
    `${selected.length} selected`,
    ...(size ? [size] : []),
    ...(elsewhere > 0 ? [`${elsewhere} of them on other pages`] : []),
  ].join(', ')
}

interface BulkButtonProps<R> {
  action: Action<R>
  usable: UsableActions<R>
  rows: readonly R[]
  /** All that this address lists, in place of the rows. */
  all: string | undefined
  /** The number of all of them. */
  number: number
  onDone: () => void
}

function BulkButton<R extends Identified>({ action, rows, usable, all, number, onDone }: BulkButtonProps<R>) {
  const [isOpen, setOpen] = useState(false)
  const { label, isDanger, confirm, formForMany } = action
  const able = rows.filter((row) => !usable.reason(action, row))
  const none = confirm
    ? `None of the selected ${confirm.noun}s can be ${confirm.done} in its current state`
    : 'None of those selected allows it in its current state'
  const roleReason = usable.roleReason(action)
  const ask = async (of: NonNullable<typeof confirm>) => {
    const { askAll, askMany } = await import('../actions/askMany.tsx')
    if (all !== undefined) return askAll(of, { whole: { query: all }, onDone })
    if (of.isPlanned) return askAll(of, { whole: { ids: rows.map(({ id }) => id) }, rows, onDone })
    return askMany(of, { rows: able, left: rows.filter((row) => !able.includes(row)), onDone })
  }
  const of = all === undefined ? { ids: rows.map(({ id }) => id) } : { query: all }
  const disabledReason = all === undefined && able.length === 0 ? (roleReason ?? none) : roleReason
  const act = () => (formForMany || !confirm ? setOpen(true) : void ask(confirm))
  useQuickActions([
    {
      id: [action.id, all ?? rows.map(({ id }) => id)].join(' '),
      label: `${label}: ${number.toLocaleString()} selected`,
      group: 'Selected rows',
      onAction: act,
      disabledReason,
    },
  ])
  return (
    <>
      <Button
        size="small"
        variant={isDanger ? 'danger' : 'secondary'}
        disabledReason={disabledReason}
        onClick={act}
      >
        {label}
      </Button>
      {isOpen && formForMany?.({ of, onDone, close: () => setOpen(false) })}
    </>
  )
}
