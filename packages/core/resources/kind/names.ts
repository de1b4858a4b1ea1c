/** The names of what others refer to by id. */
import { kinds, typeOf } from '@purlin/contract/rules/kinds'
import { namedKinds, type NamedKind } from '@purlin/contract/rules/lists'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { above, type Parent } from '../lists/look-up.ts'
import { rowsBy, seen, type Row } from '../lists/search.ts'

export const names: Family<'nameList'> = {
  async nameList(ctx, { query }) {
    permit(ctx)
    const rows: { kind: NamedKind; row: Row }[] = []
    for (const kind of namedKinds.filter((one) => query.kind.includes(kinds[one].type)))
      rows.push(...(await rowsBy(ctx, kind, query.id)).map((row) => ({ kind, row })))
    const known = new Map<string, Parent[]>()
    const items = []
    for (const { kind, row } of await seen(ctx, rows))
      items.push({
        type: typeOf(kind, { projectId: row.projectId ?? null }),
        id: row.id,
        name: row.name,
        parents: await above(ctx, [kind, row], known),
      })
    return { items }
  },
}
