/** The index of words of a database whose rows were inserted without it. */
import { addToSearch, indexedKinds } from '#/db/lists/search-index.ts'
import { rowsOf } from '#/db/kinds.ts'
import type { Tx } from '#/db/tables.ts'

/** Indexes all rows of all kinds, of which none is indexed yet. */
export async function indexEverything(tx: Tx): Promise<void> {
  for (const kind of indexedKinds)
    for (const row of await rowsOf(tx, kind).selectAll().execute()) await addToSearch(tx, kind, row)
}
