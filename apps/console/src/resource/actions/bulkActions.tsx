/** Actions on many rows of a list: chosen one by one, on several pages, or all that the list matches. */
import { useState, type ReactNode } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import type { Selection } from '#/ui/table/columns.ts'
import type { Action, UsableActions } from './actions.tsx'
import type { Identified } from '../kind.ts'
import type { BulkBarProps } from '../list/BulkBar.tsx'

const Bar = lazily(() => import('../list/BulkBar.tsx'), 'BulkBar') as <R extends Identified>(
  props: BulkBarProps<R>,
) => ReactNode

/** The part of a list that is shown. */
export interface Shown<R> {
  rows: readonly R[]
  /** The address of all that match, as the API knows it: `/v1/disks?project=web&find=old`. */
  matching: string
  /** The number of rows, if it is known. */
  total: number | undefined
  /** The page that is shown. */
  page: string
  /** How texts call a row. */
  labelOf: (row: R) => string
}

interface Chosen<R> {
  /** The list that was chosen from: another search or filter ends the selection. */
  matching: string
  /** By id, with the page that each was chosen on. */
  rows: ReadonlyMap<string, { row: R; page: string }>
  isAll: boolean
}

/** Lets rows be selected: the `selection` of their table, and the `bar` with what can be done with all of them. */
export function useBulkActions<R extends Identified>(
  actions: readonly Action<R>[],
  usable: UsableActions<R>,
  shown: Shown<R>,
): { selection?: Selection<R>; bar: ReactNode } {
  const { rows, matching, page, labelOf } = shown
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
  // Rows that have left this page are gone; rows selected on another page are as they were there.
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
      labelOf: (row) => `Select ${labelOf(row)}`,
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
