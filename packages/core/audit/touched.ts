/**
 * The targets of a transaction, and the resources that it creates, renames and deletes, as noted by the code that
 * does so.
 */
import { kinds, typeOf, type KindName } from '@purlin/contract/rules/kinds'
import { kindRows } from '#/db/kinds.ts'
import type { Tx } from '#/db/tables.ts'

/** One object, as an entry of the audit log has it. */
export interface Touched {
  type: string
  id: string
  /** Null if it has been made. */
  before: string | null
  /** Null if it has been deleted. */
  after: string | null
  /** True if it is in another one that is listed, and found with that. */
  isPart?: true
}
export interface Touches {
  objects: Map<string, Touched>
  /** The project and the silo that the request is about. */
  projectId: string | null
  siloId: string | null
  /** The VPCs that something touched is in. */
  vpcIds: Set<string>
}
type Row = Readonly<{
  id: string
  name?: string
  displayName?: string
  siloId?: string
  projectId?: string | null
  vpcId?: string
}>
/** The kinds that are created together with their parent, such as the interfaces of an instance. */
const partOf = (kind: KindName, row: Row, touches: Touches): boolean => {
  const { parent } = kindRows[kind]
  const id =
    parent === null || kinds[kind].parent === 'project' ? null : (row as Record<string, unknown>)[parent]
  return typeof id === 'string' && touches.objects.get(id)?.before === null
}

// Only for the transactions of recorded requests.
const collecting = new WeakMap<Tx, Touches>()

/** Begins to collect what an attempt of a transaction touches. */
export function collectTouches(tx: Tx): Touches {
  const touches: Touches = { objects: new Map(), projectId: null, siloId: null, vpcIds: new Set() }
  collecting.set(tx, touches)
  return touches
}

/** Ends the attempt. */
export const endTouches = (tx: Tx): void => void collecting.delete(tx)

// The id replaces a missing name.
const nameOf = (row: Row): string => row.name ?? row.displayName ?? row.id

function add(tx: Tx, [kind, row]: [KindName, Row], change: Pick<Touched, 'before' | 'after'>): void {
  const touches = collecting.get(tx)
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

/** Notes what a request is about. */
export const noteTarget = (tx: Tx, kind: KindName, row: Row): void => {
  const name = nameOf(row)
  if (collecting.get(tx)?.objects.has(row.id) !== true) add(tx, [kind, row], { before: name, after: name })
}
export const noteMade = (tx: Tx, kind: KindName, row: Row): void =>
  add(tx, [kind, row], { before: null, after: nameOf(row) })
/** Notes a row that has changed, as it was, and its name after. */
export const noteChanged = (tx: Tx, [kind, row]: [KindName, Row], after: string): void =>
  add(tx, [kind, row], { before: nameOf(row), after })
export const noteDeleted = (tx: Tx, kind: KindName, row: Row): void =>
  add(tx, [kind, row], { before: nameOf(row), after: null })
/** Notes the VPC of a resource below it: a route, or an attachment of a gateway. */
export async function noteVpcOf(tx: Tx, table: 'vpcRouter' | 'internetGateway', id: string): Promise<void> {
  const touches = collecting.get(tx)
  if (!touches) return
  const row = await tx.selectFrom(table).select('vpcId').where('id', '=', id).executeTakeFirst()
  if (row) touches.vpcIds.add(row.vpcId)
}
