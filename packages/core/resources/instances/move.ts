/**
 * Moving a running instance to another sled. Both sleds are reserved until it has arrived or has stayed, so that
 * neither is given away; loops carry it out.
 */
import { instanceAnswer } from '@purlin/contract/rules/states'
import type { Ctx } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { Fault, fault } from '#/faults.ts'
import { endItem } from '#/resources/tasks/running-items.ts'
import { changeInstance } from './change.ts'
import { stop } from './lifecycle.ts'
import { chooseSled, freeSled, reserveSled } from './placement.ts'
import type { InstanceRow } from './view.ts'

/**
 * Begins to move an instance. With `orStop`, it is stopped if no other sled can take it. One that is not running or is
 * on its way stays as it is. Throws 503 while it starts or reboots, and the reasons why it cannot be placed: 507, 400.
 */
export async function beginMove(
  ctx: Ctx,
  row: InstanceRow,
  { orStop }: { orStop: boolean },
): Promise<InstanceRow> {
  const answer = instanceAnswer('move', row.runState)
  if (answer === 'unchanged') return row
  if (answer === 'refuse') throw fault.unavailable()
  const migrationId = ctx.world.ids.uuid()
  let to: string
  try {
    to = await chooseSled(ctx.world, ctx.tx, { row, leaving: row.sledId })
  } catch (error) {
    if (!orStop || !(error instanceof Fault)) throw error
    const marked = await changeInstance(ctx.tx, row, { now: ctx.now, set: { migrationId } })
    return stop(ctx, marked)
  }
  await reserveSled(ctx.tx, to, row)
  ctx.wake('instances')
  return changeInstance(ctx.tx, row, {
    now: ctx.now,
    set: { runState: 'migrating', migrationId, migrationSledId: to, dueAt: ctx.now, attempts: 0 },
  })
}

/** The columns of an instance that is on its way nowhere. */
export const notMoving = { migrationId: null, migrationSledId: null } as const

/** The instance has arrived: the sled that it has left is free. Returns the columns to set. */
export async function arrive(tx: Tx, row: InstanceRow, now: number) {
  if (row.sledId !== null) await freeSled(tx, row.sledId, row)
  const sled = await tx
    .selectFrom('sled')
    .select('serial')
    .where('id', '=', row.migrationSledId ?? '')
    .executeTakeFirst()
  const message = sled ? `moved to sled ${sled.serial}` : null
  await endItem(tx, row.id, { state: 'succeeded', message, now })
  return { sledId: row.migrationSledId, ...notMoving }
}

/** The instance stays where it is: the other sled is free. Returns the columns to set. */
export async function stay(tx: Tx, row: InstanceRow, { reason, now }: { reason: string; now: number }) {
  if (row.migrationSledId !== null) await freeSled(tx, row.migrationSledId, row)
  await endItem(tx, row.id, { state: 'failed', message: reason, now })
  return notMoving
}

/** The machine has ended on its way: the other sled is free. It is on no sled any more. */
export async function endMove(tx: Tx, row: InstanceRow, now: number): Promise<void> {
  if (row.migrationId === null) return
  if (row.migrationSledId !== null) await freeSled(tx, row.migrationSledId, row)
  await endItem(tx, row.id, { state: 'succeeded', message: 'it has stopped', now })
}
