/** The one way to change an instance's row: each change carries the next generation and loses to a newer one. */
import type { Updateable } from 'kysely'
import type { InstanceTable, Tx } from '../../db/tables.ts'
import { fault } from '../../faults.ts'
import type { InstanceRow } from './view.ts'

type Changes = Omit<Updateable<InstanceTable>, 'generation' | 'timeRunStateUpdated'>

/** Writes changes and returns the row as it now is. A changed run state notes its time. Throws 409 after a lost race. */
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
