/** The common part of all resources: identity metadata, and how their rows are added, changed and deleted. */
import { kinds, typeOf, type KindName, type KindWith } from '@purlin/contract/rules/kinds'
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import { noteChanged, noteDeleted, noteFields, noteMade, noteProtection, noteTags } from '#/audit/touched.ts'
import { together } from '#/concurrency/together.ts'
import type { Ctx, InTransaction } from '#/context.ts'
import { UniqueViolation } from '#/db/engine.ts'
import { containersOf, firstChild, kindRows, type Container, type NamedKind, type RowOf } from '#/db/kinds.ts'
import type { Identity, Kept, Tagged, Tx } from '#/db/tables.ts'
import { insertRow, prepared } from '#/db/prepared.ts'
import { newRowId } from '#/db/row-id.ts'
import { addToSearch, updateSearch } from '#/db/lists/search-index.ts'
import { countDeleted, countNew, forgetTallies } from '#/db/rows/tallies.ts'
import { addTags, removeTags, storedTags, tagsIn, updateTags } from '#/db/rows/tags.ts'
import { splitUse } from '#/db/rows/usage-periods.ts'
import { fault, type Fault } from '#/faults.ts'

/** The identity metadata of a new row. */
export function newIdentity(
  ctx: Pick<Ctx, 'world' | 'now'>,
  from: { name: string; description: string },
): Identity {
  return {
    id: newRowId(ctx.world),
    name: from.name,
    description: from.description,
    timeCreated: ctx.now,
    timeModified: ctx.now,
  }
}

/** The columns that an update of identity metadata changes: absent and null keep their value. */
export function identityChanges(
  ctx: Pick<Ctx, 'now'>,
  body: { name?: string | null | undefined; description?: string | null | undefined },
): Partial<Identity> & { timeModified: number } {
  return {
    timeModified: ctx.now,
    ...(body.name != null ? { name: body.name } : {}),
    ...(body.description != null ? { description: body.description } : {}),
  }
}

interface KeptBody extends MayHaveTags {
  protected?: boolean | null | undefined
}

/** The tags of a new resource. Throws 400. */
export const newTags = ({ tags }: MayHaveTags): Tagged => ({
  tagsJson: tags == null ? null : storedTags(tags),
})

/** The columns of a new resource that people keep. Throws 400. */
export const newKept = ({ protected: isProtected, ...tagged }: KeptBody): Kept => ({
  isProtected: isProtected === true ? 1 : null,
  ...newTags(tagged),
})

/** Those that an update changes: absent and null keep them. Throws 400. */
export const keptChanges = (body: KeptBody): Partial<Kept> => ({
  ...(body.protected == null ? {} : { isProtected: body.protected ? 1 : null }),
  ...(body.tags == null ? {} : { tagsJson: storedTags(body.tags) }),
})

/** Throws 400 if the resource is protected from deletion. That of an import is for the image that will be made of it. */
export function refuseProtected(kind: KindName, row: Partial<Identity & Kept>): void {
  if (row.isProtected === 1 && kind !== 'imageImport') throw fault.protected(kinds[kind].noun, row.name ?? '')
}

/** Identity metadata as clients see it. */
export const identityView = (row: Identity & Partial<Kept>) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  timeCreated: new Date(row.timeCreated),
  timeModified: new Date(row.timeModified),
  ...(row.isProtected === 1 ? { protected: true } : {}),
  ...tagsView(row),
})

/** Tags as clients see them: none for a resource without any. */
export const tagsView = ({ tagsJson }: Partial<Tagged>) =>
  tagsJson == null ? {} : { tags: tagsIn(tagsJson) }

/**
 * Inserts a row into its containers and counts it. Every row that prevents a delete, or whose number is limited, is
 * inserted here. Throws 404 for a container that is gone, 507 for one row too many.
 */
export const insertChild = <K extends KindName>(
  ctx: Pick<Ctx, 'tx' | 'unit' | 'world'>,
  kind: K,
  row: RowOf<K>,
): Promise<RowOf<K>> => counted(ctx, [kind, row], insert(ctx, kind, row))

/** `insertChild` that throws 400 for a taken name. */
export const insertNamed = <K extends NamedKind>(
  ctx: Pick<Ctx, 'tx' | 'unit' | 'world'>,
  kind: K,
  row: RowOf<K>,
): Promise<RowOf<K>> => counted(ctx, [kind, row], orExists(kind, row, insert(ctx, kind, row)))

const insert = <K extends KindName>({ tx }: Pick<Ctx, 'tx'>, kind: K, row: RowOf<K>): Promise<unknown> =>
  insertRow(tx, kindRows[kind].table, row)

async function counted<K extends KindName>(
  ctx: Pick<Ctx, 'tx' | 'unit' | 'world'>,
  [kind, row]: [K, RowOf<K>],
  inserted: Promise<unknown>,
): Promise<RowOf<K>> {
  await together([
    inserted,
    readContainers(ctx, kind, row),
    countNew(ctx, kind, row),
    addToSearch(ctx.tx, kind, row),
    addTags(ctx.tx, kind, row),
  ])
  noteMade(ctx.unit, kind, row)
  if ('isProtected' in row) noteProtection(ctx.unit, row, [null, row.isProtected])
  return row
}

/** Changes columns of a row without a name and returns the row as it is now. */
export async function updateUnnamed<K extends KindWith<'isNamed'>>(
  ctx: InTransaction,
  [kind, row]: [K, RowOf<K>],
  changes: Partial<RowOf<K>>,
): Promise<RowOf<K>> {
  if (Object.keys(changes).length > 0)
    await ctx.tx.updateTable(kindRows[kind].table).set(changes).where('id', '=', row.id).execute()
  const after = { ...row, ...changes }
  noteChanged(ctx.unit, [kind, row])
  await noteFields(ctx, [kind, row], after)
  return after
}

/** Changes columns of a row and returns the row as it is now. Throws 400 for a taken name. */
export async function updateNamed<K extends NamedKind>(
  ctx: InTransaction,
  [kind, row]: [K, RowOf<K>],
  changes: Partial<RowOf<K>> | Partial<Identity>,
): Promise<RowOf<K>> {
  const after = { ...row, ...changes }
  const write = ctx.tx.updateTable(kindRows[kind].table).set(changes).where('id', '=', row.id).execute()
  await together([
    orExists(kind, after, write),
    updateSearch(ctx.tx, [kind, after], changes),
    updateTags(ctx.tx, [kind, after], changes),
    splitByTags(ctx.tx, row, changes),
  ])
  noteChanged(ctx.unit, [kind, row], after.name)
  if ('tagsJson' in after && 'tagsJson' in row && after.tagsJson !== row.tagsJson)
    noteTags(ctx.unit, row, [tagsIn(row.tagsJson), tagsIn(after.tagsJson)])
  if ('isProtected' in after && 'isProtected' in row)
    noteProtection(ctx.unit, row, [row.isProtected, after.isProtected])
  await noteFields(ctx, [kind, row], after)
  return after
}

/** Use is reported by the tags of its time. */
async function splitByTags(
  tx: Tx,
  row: { id: string } & Partial<Kept>,
  changes: Partial<Kept> & { timeModified?: number },
): Promise<void> {
  const { tagsJson = null, timeModified } = changes
  if (!('tagsJson' in changes) || timeModified === undefined || tagsJson === (row.tagsJson ?? null)) return
  await splitUse(tx, { id: row.id, tagsJson }, timeModified)
}

/** Deletes only the rows of a kind, and uncounts them. */
export const deleteRow =
  (kind: KindName) =>
  async ({ tx, unit }: InTransaction, row: { id: string }): Promise<void> => {
    await tx.deleteFrom(kindRows[kind].table).where('id', '=', row.id).execute()
    await removeTags(tx, row)
    await countDeleted(tx, kind, row)
    noteDeleted(unit, kind, row)
  }

/** Moves a row into other containers and counts it there. Throws 400 for a taken name. */
export async function moveChild<K extends NamedKind>(
  ctx: Pick<Ctx, 'tx' | 'unit' | 'world'>,
  [kind, row]: [K, RowOf<K>],
  to: Partial<RowOf<K>>,
): Promise<RowOf<K>> {
  const moved = await updateNamed(ctx, [kind, row], to)
  await readContainers(ctx, kind, moved)
  await countDeleted(ctx.tx, kind, row)
  await countNew(ctx, kind, moved)
  return moved
}

/**
 * Reads the containers of a new row, so that the database aborts the new row or a delete of a container that has found
 * it empty. An update would do the same, but rows that all creates update conflict across projects. Throws 404.
 */
async function readContainers(ctx: Pick<Ctx, 'tx'>, kind: KindName, row: object): Promise<void> {
  await together(
    containersOf(kind, row).map(async ([container, id]) => {
      const [found] = await selectContainer(ctx.tx, { id }, container)
      if (!found) throw fault.notFound(typeOf(container, {}), id)
    }),
  )
}

const selectContainer = prepared<{ id: string }, { id: string }, [Container]>((tx, value, [container]) =>
  tx.selectFrom(container).select('id').where('id', '=', value('id')),
)

async function orExists<T>(
  kind: KindName,
  row: { name: string; projectId?: string | null },
  write: Promise<T>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw error instanceof UniqueViolation && error.isOfName
      ? fault.exists(typeOf(kind, row), row.name)
      : error
  }
}

/** Deletes an empty container. Throws the error that `notEmpty` makes of the first child. */
export async function deleteContainer(
  ctx: InTransaction,
  [container, row]: [Container, { id: string; siloId?: string }],
  notEmpty: (child: { kind: KindName; name: string }) => Fault,
): Promise<void> {
  const child = await firstChild(ctx.tx, container, row.id)
  if (child) throw notEmpty(child)
  await ctx.tx.deleteFrom(container).where('id', '=', row.id).execute()
  await removeTags(ctx.tx, row)
  await countDeleted(ctx.tx, container, row)
  await forgetTallies(ctx.tx, row)
  noteDeleted(ctx.unit, container, row)
}
