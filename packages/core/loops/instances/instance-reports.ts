/** Writes what sleds report about machines into their instances' rows. */
import { autoRestartCooldownMs } from '@purlin/contract/rules/auto-restart'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import type { VmStatus } from '#/ports.ts'
import { confirmSwitch, isBehind } from '#/resources/storage/layer-switches.ts'
import { release } from '#/resources/instances/placement.ts'
import { restartsByItself, type InstanceRow } from '#/resources/instances/view.ts'
import { arrive, endMove, notMoving, stay } from '#/resources/instances/move.ts'
import { changeInstance } from '#/resources/instances/change.ts'
import { markGuestLayers } from './guest-layers.ts'

/** A running machine is checked this often, in case a report was lost. */
export const checkMs = 30_000
/** One that is on its way to another sled is checked this often. */
const lookMs = 5_000

export const rowOf = (tx: Tx, id: string): Promise<InstanceRow | undefined> =>
  tx.selectFrom('instance').selectAll().where('id', '=', id).executeTakeFirst()

/** The time at which a failed instance may restart automatically; null for never. */
export const nextRestart = (row: InstanceRow): number | null => {
  if (!restartsByItself(row) || row.intended !== 'running') return null
  return row.timeLastAutoRestarted === null ? 0 : row.timeLastAutoRestarted + autoRestartCooldownMs
}

/** Writes a report into the row. Returns the machine if it has ended and should be removed from the sled. */
export async function applyStatus(
  world: World,
  tx: Tx,
  { row, status }: { row: InstanceRow; status: VmStatus },
): Promise<{ id: string; sledId: string; boot: number } | null> {
  const now = world.clock.now()
  const seq = Math.min(status.seq, 2 ** 50)
  if (status.state === 'stopped' || status.state === 'failed') {
    await release(tx, row, now)
    await endMove(tx, row, now)
    // A machine that fails while it is being stopped has stopped.
    const failed = status.state === 'failed' && row.desired === 'running'
    const intended = status.guestShutdown && row.desired === 'running' ? 'guest_shutdown' : row.intended
    await changeInstance(tx, row, {
      now,
      set: {
        runState: failed ? 'failed' : 'stopped',
        sledId: null,
        ...notMoving,
        seq,
        intended,
        desired: failed ? 'running' : 'stopped',
        attempts: 0,
        dueAt: failed ? nextRestart(row) : null,
        lastError: failed ? (status.reason ?? 'the machine failed') : null,
      },
    })
    return { id: row.id, sledId: status.sledId, boot: status.boot }
  }
  await storeLayers(world, tx, { row, status })
  await storeType(tx, row, status)
  if (row.migrationSledId !== null && status.sledId === row.migrationSledId)
    return arrived(tx, row, { status, now, seq })
  const { failedMigration } = status
  const stays = row.migrationSledId !== null && failedMigration?.id === row.migrationId
  const moved = stays ? await stay(tx, row, { reason: failedMigration?.reason ?? '', now }) : {}
  // Once it should stop, only its end is stored; reports from before a requested reset do not undo it.
  if (row.desired === 'stopped' || status.reset < row.reset) {
    // A reset that was requested on the way is done where the instance has stayed.
    const hasStayed = row.migrationSledId === null || stays
    if (hasStayed && row.desired === 'running' && row.runState !== 'rebooting')
      await changeInstance(tx, row, { now, set: { seq, ...moved, runState: 'rebooting', dueAt: now } })
    else
      await tx
        .updateTable('instance')
        .set({ seq, ...moved })
        .where('id', '=', row.id)
        .execute()
    return null
  }
  const isOnItsWay = row.migrationSledId !== null && !stays
  await changeInstance(tx, row, {
    now,
    set: {
      ...moved,
      runState: isOnItsWay ? 'migrating' : status.state,
      seq,
      attempts: 0,
      dueAt: isOnItsWay ? now + lookMs : nextCheck(row, status, now),
    },
  })
  return null
}

/** A machine that runs and does not write to the newest layers is looked at immediately. */
const nextCheck = (row: InstanceRow, { state, storage }: VmStatus, now: number): number =>
  state === 'running' && isBehind(row, storage) ? now : now + checkMs

/** Stores which layers the machine writes to. */
async function storeLayers(
  { sleds }: World,
  tx: Tx,
  { row, status }: { row: InstanceRow; status: VmStatus },
): Promise<void> {
  await confirmSwitch(tx, row, status.storage)
  const isNew = row.seq === 0 || status.storage > (row.storageConfirmed ?? 0)
  // The newest layers have no bytes before the machine writes to them.
  if (sleds.keepsBytes(status.sledId) && isNew && !isBehind(row, status.storage))
    await markGuestLayers(tx, row)
}

/** The next boot has the same hardware. */
async function storeType(tx: Tx, row: InstanceRow, { machineType }: VmStatus): Promise<void> {
  if (machineType === undefined || machineType === row.machineType) return
  await tx.updateTable('instance').set({ machineType }).where('id', '=', row.id).execute()
}

/** The other sled runs it. What was requested in the meantime is done there. */
async function arrived(
  tx: Tx,
  row: InstanceRow,
  { status, now, seq }: { status: VmStatus; now: number; seq: number },
): Promise<null> {
  const isOver = row.desired === 'stopped' || status.reset < row.reset
  const runState = row.desired === 'stopped' ? 'stopping' : isOver ? 'rebooting' : status.state
  await changeInstance(tx, row, {
    now,
    set: {
      ...(await arrive(tx, row, now)),
      runState,
      seq,
      attempts: 0,
      dueAt: isOver ? now : nextCheck(row, status, now),
    },
  })
  return null
}
