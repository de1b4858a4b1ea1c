/** Actions on many rows of a list: chosen one by one, on several pages, or all that the list matches. */
import { limits } from '@purlin/contract/rules/limits'
import { useState, type ReactNode } from 'react'
import { Button } from '#/ui/Button.tsx'
import type { Selection } from '#/ui/table/columns.ts'
import type { Action, UsableActions } from './actions.tsx'
import { sizeOf } from './confirmation.tsx'

interface Named {
  id: string
  name: string
}

/** The part of a list that is shown. */
export interface Shown<R> {
  rows: readonly R[]
  /** The address of all that match, as the API knows it: `/v1/disks?project=web&find=old`. */
  matching: string
  /** How many these are, if that is known. */
  total: number | undefined
  /** The page that is shown. */
  page: string
}

interface Chosen<R> {
  /** The list that was chosen from: another search or filter ends the selection. */
  matching: string
  /** By id, with the page that each was chosen on. */
  rows: ReadonlyMap<string, { row: R; page: string }>
  isAll: boolean
}

/** Lets rows be selected: the `selection` of their table, and the `bar` with what can be done with all of them. */
export function useBulkActions<R extends Named>(
  actions: readonly Action<R>[],
  usable: UsableActions<R>,
  shown: Shown<R>,
): { selection?: Selection<R>; bar: ReactNode } {
  const { rows, matching, page } = shown
  const [chosen, setChosen] = useState<Chosen<R>>({ matching, rows: new Map(), isAll: false })
  const kept =
    chosen.matching === matching ? chosen : { matching, rows: new Map<string, never>(), isAll: false }
  const bulk = actions.filter(({ isForMany, formForMany }) => isForMany || formForMany)
  const [only] = bulk
  if (!only) return { bar: null }
  // With only one action, rows that it is disabled for cannot be selected.
  const disabledReason =
    bulk.length === 1
      ? (row: R) => {
          const why = usable.reason(only, row)
          return typeof why === 'string' ? why : undefined
        }
      : undefined
  const here = new Map(rows.map((row) => [row.id, row]))
  // What has left its page is gone; what was chosen on another page is as it was there.
  const selected = [...kept.rows].flatMap(([id, one]) => {
    const row = here.get(id) ?? (one.page === page ? undefined : one.row)
    return row && !disabledReason?.(row) ? [row] : []
  })
  const select = (ids: ReadonlySet<string>) =>
    setChosen({
      matching,
      isAll: false,
      rows: new Map(
        [...ids].flatMap((id) => {
          const row = here.get(id)
          const one = row ? { row, page } : kept.rows.get(id)
          return one ? [[id, one]] : []
        }),
      ),
    })
  const clear = () => select(new Set())
  return {
    selection: {
      mode: 'multiple',
      selected: kept.isAll ? new Set(here.keys()) : new Set(kept.rows.keys()),
      onChange: select,
      labelOf: ({ name }) => `Select ${name}`,
      ...(disabledReason ? { disabledReason } : {}),
    },
    bar: selected.length > 0 && (
      <Bar
        actions={bulk}
        usable={usable}
        shown={shown}
        selected={selected}
        isAll={kept.isAll}
        isWholePage={rows.every((row) => kept.rows.has(row.id) || Boolean(disabledReason?.(row)))}
        onAll={() => setChosen({ ...kept, isAll: true })}
        onClear={clear}
      />
    ),
  }
}

interface BarProps<R> {
  actions: readonly Action<R>[]
  usable: UsableActions<R>
  shown: Shown<R>
  selected: readonly R[]
  isAll: boolean
  isWholePage: boolean
  onAll: () => void
  onClear: () => void
}

function Bar<R extends Named>({ actions, usable, shown, selected, isWholePage, ...of }: BarProps<R>) {
  const { rows, total } = shown
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
      {actions.map((action) => (
        <BulkButton
          key={action.id}
          action={action}
          usable={usable}
          rows={selected}
          all={of.isAll ? shown.matching : undefined}
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
  total > limits.task.items && `At most ${limits.task.items.toLocaleString()} at once: search or filter first`

/** '5 selected, 4 GiB, 2 of them on other pages' */
function selectionWords<R extends Named>(selected: readonly R[], rows: readonly R[]): string {
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
  onDone: () => void
}

function BulkButton<R extends Named>({ action, rows, usable, all, onDone }: BulkButtonProps<R>) {
  const [isOpen, setOpen] = useState(false)
  const { label, isDanger, confirm, formForMany } = action
  const able = rows.filter((row) => !usable.reason(action, row))
  const none = confirm
    ? `None of the selected ${confirm.noun}s can be ${confirm.done} in its current state`
    : 'None of those selected allows it in its current state'
  const roleReason = usable.roleReason(action)
  const ask = async (of: NonNullable<typeof confirm>) => {
    const { askAll, askMany } = await import('./askMany.tsx')
    return all === undefined
      ? askMany(of, { rows: able, left: rows.filter((row) => !able.includes(row)), onDone })
      : askAll(of, { query: all, onDone })
  }
  const of = all === undefined ? { ids: rows.map(({ id }) => id) } : { query: all }
  return (
    <>
      <Button
        size="small"
        variant={isDanger ? 'danger' : 'secondary'}
        disabledReason={all === undefined && able.length === 0 ? (roleReason ?? none) : roleReason}
        onClick={() => (formForMany || !confirm ? setOpen(true) : void ask(confirm))}
      >
        {label}
      </Button>
      {isOpen && formForMany?.({ of, onDone, close: () => setOpen(false) })}
    </>
  )
}
