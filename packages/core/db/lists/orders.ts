/** The orders of lists. */
import { kindNames } from '@purlin/contract/rules/kinds'
import { rulesOf } from '@purlin/contract/rules/lists'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { kindRows } from '../kinds.ts'
import type { Order, Sort } from './list.ts'

export const byId: Sort = { id_ascending: { columns: ['id'], descending: false } }

const sortsBy = (...columns: string[]): Sort => ({
  name_ascending: { columns, descending: false },
  name_descending: { columns, descending: true },
  ...byId,
})

/** The kind whose rows a table has. */
export const kindOf = (table: string): string =>
  kindNames.find((kind) => kindRows[kind].table === table) ?? table

/** The orders of a table by its further columns. Rows with the same value are in the order of their ids. */
const ordersOf = (table: string): Sort =>
  Object.fromEntries(
    Object.entries(rulesOf(kindOf(table)).orders).flatMap(([name, { field, isNumber }]) => {
      const order = { columns: [field, 'id'], numbers: isNumber ? [field] : [], isSorted: true } as const
      return [
        [`${name}_ascending`, { ...order, descending: false }],
        [`${name}_descending`, { ...order, descending: true }],
      ]
    }),
  )

const mostTables = 1000

/** The orders of a table's lists by name. */
export const byName = memoizeRecent(mostTables, (table): Sort => ({ ...sortsBy('name'), ...ordersOf(table) }))

/** The same where names repeat. */
export const byNameAndId = memoizeRecent(mostTables, (table): Sort => ({
  ...sortsBy('name', 'id'),
  ...ordersOf(table),
}))

/** The two orders of a column of numbers. */
export const byNumber = (column: string): Sort => ({
  ascending: { columns: [column], descending: false, numbers: [column] },
  descending: { columns: [column], descending: true, numbers: [column] },
})

/** The orders of the audit log. */
export const upBySeq: Order = { columns: ['seq'], descending: false, numbers: ['seq'] }

export const bySeq: Sort = {
  time_and_id_ascending: upBySeq,
  time_and_id_descending: { ...upBySeq, descending: true },
}
