/**
 * Snapshots of disks that a machine writes to. The snapshot has the layer of its disk at once, but the guest writes to that layer
 * until its machine was switched to the one above. Until then the snapshot is being created, and no disk or image is made
 * of it. A counter of the instance orders the switches. A disk that has grown while a machine has it reaches the guest by a
 * switch as well: it is repeated until the machine has confirmed it, whatever ends in between.
 */
import type { Ctx } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import type { InstanceRow } from '../instances/view.ts'

/**
 * Asks for the machine of an instance to be switched to the new top layers and sizes of its disks, which the caller has written. Returns the
 * number of the switch; null if it has no machine.
 */
export async function requestSwitch(ctx: Ctx, instanceId: string): Promise<number | null> {
  const row = await ctx.tx
    .selectFrom('instance')
    .select(['sledId', 'storage'])
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  if (row.sledId === null) return null
  const storage = (row.storage ?? 0) + 1
  await ctx.tx.updateTable('instance').set({ storage, dueAt: ctx.now }).where('id', '=', instanceId).execute()
  ctx.wake('instances')
  return storage
}

/** The switches that were requested, and those that are known to be done. */
type Switched = Pick<InstanceRow, 'id' | 'storage' | 'storageConfirmed'>

/** True if the machine of an instance does not write to the newest layers of its disks. */
export const isBehind = ({ storage }: Pick<Switched, 'storage'>, done: number | null): boolean =>
  (done ?? 0) < (storage ?? 0)

/**
 * Stores that the machine of an instance writes to the layers of this switch, or newer ones: the snapshots beneath are ready. The
 * last switch is also done once the machine has ended.
 */
export async function confirmSwitch(tx: Tx, row: Switched, done: number | null): Promise<void> {
  if (done === null || done <= (row.storageConfirmed ?? 0)) return
  await tx
    .updateTable('snapshot')
    .set({ state: 'ready', storage: null })
    .where('storage', '<=', done)
    .where('diskId', 'in', tx.selectFrom('disk').select('id').where('instanceId', '=', row.id))
    .execute()
  await tx.updateTable('instance').set({ storageConfirmed: done }).where('id', '=', row.id).execute()
}
