/** Every change of an instance's row: it increments the generation and fails if another request did so first. */
import type { Updateable } from 'kysely'
import type { InstanceTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { InstanceRow } from './view.ts'

type Changes = Omit<Updateable<InstanceTable>, 'generation' | 'timeRunStateUpdated'>

/** Writes changes and returns the new row. A new run state sets its time. Throws 409 if the row has changed since it was read. */
export async function changeInstance(
  tx: Tx,
  row: InstanceRow,
  at: { now: number; set: Changes },
): Promise<InstanceRow> {
  const { now, set } = at
  const moved = set.runState !== undefined && set.runState !== row.runState
  const all = { ...set, generation: row.generation + 1, ...(moved ? { timeRunStateUpdated: now } : {}) }
  const done = await tx
    .updateTable('instance')
    .set(all)
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw fault.conflict('instance was changed by another request, try again')
  return { ...row, ...all } as InstanceRow
}
