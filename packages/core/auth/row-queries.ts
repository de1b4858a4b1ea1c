/** The queries that rows are found by: those of one kind by the values of columns, or by name together with their project. */
import type { KindName } from '@purlin/contract/rules/kinds'
import type { Ctx } from '#/context.ts'
import { kindRows, literal, rowsOf, type RowOf } from '#/db/kinds.ts'
import { prepared } from '#/db/prepared.ts'

/** A row of any kind. */
export interface Row {
  id: string
  name?: string
  projectId?: string | null
  siloId?: string
}
/** Reads a project by its id or by its name in a silo, with the row of a kind that has this name in it. */
export const withProject = prepared<
  Record<'name' | 'project' | 'siloId', string>,
  Joined,
  [kind: KindName, by: 'id' | 'name']
>((tx, value, [kind, by]) => {
  // The builder takes the row for a disk's.
  const { table, parent, where = {} } = kindRows[kind] as (typeof kindRows)['disk'] & { where?: object }
  const query = tx
    .selectFrom('project')
    .leftJoin(table, (join) => {
      const named = join
        .onRef(`${table}.${parent}`, '=', 'project.id')
        .on(`${table}.name`, '=', value('name'))
      return Object.entries(where).reduce(
        (on, [column, fixed]) => on.on(`${table}.${column as 'name'}`, '=', literal(fixed as string)),
        named,
      )
    })
    .selectAll(table)
    .select(['project.id as ownerId', 'project.siloId as ownerSiloId'])
    .where(`project.${by}`, '=', value('project'))
  return by === 'id' ? query : query.where('project.siloId', '=', value('siloId'))
})

interface Joined extends Row {
  ownerId: string
  ownerSiloId: string
}

/** The row of a kind whose columns have these values. */
export async function rowBy<K extends KindName>(
  ctx: Ctx,
  kind: K,
  where: Record<string, string>,
): Promise<(RowOf<K> & Row) | undefined> {
  const [row] = await rowWhere(ctx.tx, where, kind, Object.keys(where).join(' '))
  return row as (RowOf<K> & Row) | undefined
}

const rowWhere = prepared<Record<string, string>, Row, [kind: KindName, columns: string]>(
  (tx, value, [kind, columns]) => {
    let query = rowsOf(tx, kind).selectAll().limit(1)
    for (const column of columns.split(' ')) query = query.where(column as 'id', '=', value(column))
    return query
  },
)
