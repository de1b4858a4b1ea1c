/**
 * The targets of a transaction, and the resources that it creates, renames and deletes, with the changes of
 * fields that the contract declares, as noted by the code that does so.
 */
import { kindOf, kinds, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import type { RecordedField } from '@purlin/contract/kinds/kind'
import type { Tags } from '@purlin/contract/rules/tags'
import type { FieldChange, Touched, Touches } from '#/context.ts'
import { kindRows } from '#/db/kinds.ts'
import type { Tx } from '#/db/tables.ts'
import { listChanges, textOf } from './field-texts.ts'

type Row = Readonly<{
  id: string
  name?: string
  displayName?: string
  serial?: string
  /** Of an access token. */
  label?: string | null
  siloId?: string
  projectId?: string | null
  vpcId?: string
}>
/** The kinds that are created together with their parent, such as the interfaces of an instance. */
const partOf = (kind: KindName, row: Row, touches: Touches): boolean => {
  const { parent } = kindRows[kind]
  const id: unknown = parent === null || kinds[kind].parent === 'project' ? null : Reflect.get(row, parent)
  return typeof id === 'string' && touches.objects.get(id)?.before === null
}

/** Nothing touched yet. */
export const noTouches = (): Touches => ({
  objects: new Map(),
  projectId: null,
  siloId: null,
  vpcIds: new Set(),
})

/** The part of a unit of work that the functions below add to. */
interface Recorded {
  readonly touches: Touches | undefined
}

// Hardware is known by its serial number. The id replaces a missing name.
const nameOf = (row: Row): string => row.name ?? row.displayName ?? row.serial ?? row.label ?? row.id

function add(
  { touches }: Recorded,
  [kind, row]: [KindName, Row],
  change: Pick<Touched, 'before' | 'after'>,
): void {
  if (!touches) return
  const known = touches.objects.get(row.id)
  // A resource that the same transaction has created has no name before.
  if (known) known.after = change.after
  else {
    const part = change.before === null && partOf(kind, row, touches) ? { isPart: true as const } : {}
    touches.objects.set(row.id, { type: typeOf(kind, row), id: row.id, ...change, ...part })
  }
  touches.projectId ??= kind === 'project' ? row.id : (row.projectId ?? null)
  touches.siloId ??= kind === 'silo' ? row.id : (row.siloId ?? null)
  if (row.vpcId !== undefined) touches.vpcIds.add(row.vpcId)
}

/** Notes the keys of tags that differ, of a row that was noted. */
export function noteTags({ touches }: Recorded, { id }: Row, [before, after]: readonly [Tags, Tags]): void {
  const touched = touches?.objects.get(id)
  const keys = Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key])
  if (touched && keys.length > 0) touched.tagKeys = keys
}

/** Notes whether a row that was noted is protected from deletion, if that is not as before. */
export function noteProtection(
  { touches }: Recorded,
  { id }: Row,
  [before, after]: readonly [number | null, number | null],
): void {
  const touched = touches?.objects.get(id)
  if (touched && before !== after) touched.isProtected = after === 1
}

/**
 * Notes the fields that differ, of a row that was noted: those that its kind declares, with their values, and that the
 * description is another one. A row that the transaction has made is only that.
 */
export async function noteFields(
  { tx, unit: { touches } }: { tx: Tx; unit: Recorded },
  [kind, row]: [KindName, Row],
  after: object,
): Promise<void> {
  if (!touches || !isRecorded(touches.objects.get(row.id))) return
  const changes: FieldChange[] = []
  for (const [field, recorded] of Object.entries(kindOf(kind).recorded ?? {}))
    changes.push(...(await changesIn({ tx, touches }, [field, recorded], [row, after])))
  if (valueIn(row, 'description') !== valueIn(after, 'description')) changes.push({ field: 'description' })
  addChanges(touches.objects.get(row.id), changes)
}

/** False for a row that was not noted, and for one that the transaction has made. */
const isRecorded = (touched: Touched | undefined): touched is Touched =>
  touched !== undefined && touched.before !== null

function addChanges(touched: Touched | undefined, changes: readonly FieldChange[]): void {
  if (isRecorded(touched) && changes.length > 0) touched.changes = [...(touched.changes ?? []), ...changes]
}

/** The changes of a field; none if it shows the same as before. */
async function changesIn(
  at: { tx: Tx; touches: Touches },
  [field, { field: column, refersTo, form, isHidden, isList }]: [string, RecordedField],
  rows: readonly [before: object, after: object],
): Promise<FieldChange[]> {
  const [stored, now] = rows.map((row) => valueIn(row, column))
  if (isHidden) return stored === now ? [] : [{ field }]
  if (isList) {
    const [was, is] = [stored, now].map((json) => JSON.parse(json ?? '[]') as string[])
    return listChanges(field, was ?? [], is ?? [])
  }
  const text = (row: object) => {
    const value = valueIn(row, column)
    if (form) return textOf[form](at.tx, row, column)
    return value === null || !refersTo ? value : nameById(at, refersTo, value)
  }
  if (!form && stored === now) return []
  const [before, after] = [await text(rows[0]), await text(rows[1])]
  return before === after ? [] : [{ field, before, after }]
}

/** Notes changes that no row of a kind has, of a row that was noted or is now. Nothing for one that the transaction has made. */
export function noteChanges(
  unit: Recorded,
  [kind, row]: [KindName, Row],
  changes: readonly FieldChange[],
): void {
  noteTarget(unit, kind, row)
  addChanges(unit.touches?.objects.get(row.id), changes)
}

/** Notes what is no resource, such as a task: an entry names it. */
export const noteOther = ({ touches }: Recorded, touched: Touched): void =>
  void touches?.objects.set(touched.id, touched)

/** A number of a row may be a bigint, too. */
function valueIn(row: object, column: string): string | null {
  const value = Reflect.get(row, column) as string | number | bigint | null | undefined
  return value == null ? null : String(value)
}

async function nameById(
  { tx, touches }: { tx: Tx; touches: Touches },
  kind: NonNullable<RecordedField['refersTo']>,
  id: string,
): Promise<string> {
  const known = touches.objects.get(id)?.after
  if (known != null) return known
  const row = await tx.selectFrom(kind).select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? id
}

/** Notes what a request is about. */
export const noteTarget = (unit: Recorded, kind: KindName, row: Row): void => {
  const name = nameOf(row)
  if (unit.touches?.objects.has(row.id) !== true) add(unit, [kind, row], { before: name, after: name })
}
export const noteMade = (unit: Recorded, kind: KindName, row: Row): void =>
  add(unit, [kind, row], { before: null, after: nameOf(row) })
/** Notes a row that has changed, as it was, and its name after, which is that of before unless it is given. */
export const noteChanged = (unit: Recorded, [kind, row]: [KindName, Row], after = nameOf(row)): void =>
  add(unit, [kind, row], { before: nameOf(row), after })
export const noteDeleted = (unit: Recorded, kind: KindName, row: Row): void =>
  add(unit, [kind, row], { before: nameOf(row), after: null })
/** Notes the VPC of a resource below it: a route, or an attachment of a gateway. */
export async function noteVpcOf(
  { tx, unit: { touches } }: { tx: Tx; unit: Recorded },
  table: 'vpcRouter' | 'internetGateway',
  id: string,
): Promise<void> {
  if (!touches) return
  const row = await tx.selectFrom(table).select('vpcId').where('id', '=', id).executeTakeFirst()
  if (row) touches.vpcIds.add(row.vpcId)
}
