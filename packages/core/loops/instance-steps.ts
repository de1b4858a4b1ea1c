/** What a round does with an instance that is due. Each step may be repeated. */
import type { World } from '../context.ts'
import { Fault } from '../faults.ts'
import { SledUnreachable, type VmStatus } from '../ports.ts'
import { place } from '../resources/instance/placement.ts'
import type { InstanceRow } from '../resources/instance/view.ts'
import { changeInstance } from '../resources/instance/write.ts'
import { nextRestart, rowOf, takeIn } from './instance-reports.ts'
import { addressesOf, specOf } from './spec.ts'

const longestWaitMs = 5 * 60_000
const backoff = (attempts: number) => Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempts, 12))

interface Desk {
  world: World
  /** Takes in what a sled says. */
  report: (status: VmStatus) => Promise<void>
}

/** Makes the step: it drives one claimed instance a little further and never throws. */
export const instanceSteps =
  (world: World, report: Desk['report']): ((row: InstanceRow) => Promise<void>) =>
  (row) =>
    step({ world, report }, row)

async function step(desk: Desk, row: InstanceRow): Promise<void> {
  const { world } = desk
  try {
    if (row.runState === 'failed' || (row.runState === 'creating' && row.desired === 'running'))
      await begin(desk, row)
    else if (row.sledId !== null) await tend(desk, row, row.sledId)
    // No sled holds it: whatever it was on its way to, it has stopped.
    else await end(world, row, { state: 'stopped' })
  } catch (error) {
    const known = error instanceof SledUnreachable
    if (!known)
      world.log.error(
        { instance: row.id, stack: error instanceof Error ? error.stack : String(error) },
        'instance not driven',
      )
    await later(world, row)
  }
}

/** A new instance is placed; a failed one is placed again if its policy and cooldown let it. */
async function begin({ world }: Desk, claimed: InstanceRow): Promise<void> {
  const started = await world.engine
    .transaction('write', async (tx) => {
      const row = await rowOf(tx, claimed.id)
      if (!row || row.runState !== claimed.runState) return null
      const now = world.clock.now()
      const automatic = row.runState === 'failed'
      if (automatic && !mayRestart(row, now)) {
        await changeInstance(tx, row, { now, set: { dueAt: nextRestart(row) } })
        return null
      }
      await place(world, tx, { row, now, automatic })
      return null
    })
    .catch((error: unknown) => {
      if (error instanceof Fault) return error
      throw error
    })
  if (started instanceof Fault) await refused(world, claimed, started.message)
}

/** A start that found no room or quota: a new instance stays stopped, a failed one tries again later. */
async function refused(world: World, claimed: InstanceRow, lastError: string): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    const row = await rowOf(tx, claimed.id)
    if (!row || row.runState !== claimed.runState) return
    const now = world.clock.now()
    const set =
      row.runState === 'creating'
        ? ({ runState: 'stopped', desired: 'stopped', dueAt: null, lastError } as const)
        : { dueAt: now + backoff(row.attempts + 5), attempts: row.attempts + 1, lastError }
    await changeInstance(tx, row, { now, set })
  })
}

/** Asks the sled for what the row wishes, or checks that what should run still does. */
async function tend({ world, report }: Desk, row: InstanceRow, sledId: string): Promise<void> {
  // A guest that shuts itself down is waited for.
  if (row.runState === 'stopping' && row.desired === 'stopped') {
    await world.sleds.remove(row.id, sledId, row.boot)
    if ((await world.sleds.inspect(row.id, sledId)) === null) await end(world, row, { state: 'stopped' })
    return
  }
  if (row.runState === 'starting' || row.runState === 'rebooting') {
    const spec = await world.engine.transaction('read', (tx) => specOf(tx, row))
    await world.sleds.ensure(row.id, spec)
    // While this was asked, another server may have stopped it, and then nobody else would remove the machine.
    if (!(await isStillOn(world, row, sledId))) return world.sleds.remove(row.id, sledId, row.boot)
  } else await readdress(world, row, sledId)
  const status = await world.sleds.inspect(row.id, sledId)
  if (!status && row.runState === 'stopping') return end(world, row, { state: 'stopped' })
  if (!status) return end(world, row, { state: 'failed', reason: 'the sled no longer holds this machine' })
  await report(status)
  if (row.attempts > 0) await answered(world, row)
}

// Every look repeats the addresses, so one that could not be told at once is told later.
async function readdress(world: World, { id, boot }: InstanceRow, sledId: string): Promise<void> {
  const addresses = await world.engine.transaction('read', (tx) => addressesOf(tx, id))
  await world.sleds.setExternalIps({ id, sledId, boot }, addresses)
}

async function isStillOn(world: World, { id }: InstanceRow, sledId: string): Promise<boolean> {
  const row = await world.engine.transaction('read', (tx) => rowOf(tx, id))
  return row?.sledId === sledId
}

// The sled answers again: should it fall silent once more, the waits begin anew.
async function answered(world: World, { id, boot }: InstanceRow): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    await tx
      .updateTable('instance')
      .set({ attempts: 0 })
      .where('id', '=', id)
      .where('boot', '=', boot)
      .execute()
  })
}

async function end(
  world: World,
  claimed: InstanceRow,
  how: { state: 'stopped' | 'failed'; reason?: string },
): Promise<void> {
  const { boot, reset } = claimed
  const status = {
    id: claimed.id,
    sledId: claimed.sledId ?? '',
    boot,
    reset,
    seq: Number.MAX_SAFE_INTEGER,
    ...how,
  }
  await world.engine.transaction('write', async (tx) => {
    const row = await rowOf(tx, claimed.id)
    if (row && row.boot === boot && row.sledId === claimed.sledId) await takeIn(world, tx, { row, status })
  })
}

async function later(world: World, claimed: InstanceRow): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    const dueAt = world.clock.now() + backoff(claimed.attempts)
    await tx
      .updateTable('instance')
      .set({ dueAt, attempts: claimed.attempts + 1 })
      .where('id', '=', claimed.id)
      .where('boot', '=', claimed.boot)
      .execute()
  })
}

function mayRestart(row: InstanceRow, now: number): boolean {
  const at = nextRestart(row)
  return at !== null && at <= now
}
