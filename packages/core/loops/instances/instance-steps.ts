/** The steps of a round for an instance that is due. Each may be repeated. */
import type { Waking, World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { Fault } from '#/faults.ts'
import { BytesMissing, DrivenElsewhere, SledUnreachable, type VmSpec, type VmStatus } from '#/ports.ts'
import { requireBytes } from '#/resources/storage/layers.ts'
import { isBehind } from '#/resources/storage/layer-switches.ts'
import { place } from '#/resources/instances/placement.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'
import { changeInstance } from '#/resources/instances/change.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import { giveLayers } from './guest-layers.ts'
import { nextRestart, rowOf, applyStatus } from './instance-reports.ts'
import { disksOf, specOf } from './spec.ts'

/** A guest that was asked to shut down has this long. Then its machine is powered off. */
const guestShutdownMs = 10 * 60_000
const longestWaitMs = 5 * 60_000
const backoff = (attempts: number) => Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempts, 12))

interface StepContext {
  world: World
  /** Writes what a sled reports. Another sled than its own may drive the instance: the one that it is about to leave. */
  report: (status: VmStatus, drivenBy?: string) => Promise<void>
  /** Asks for a round of another loop soon. */
  wake: (what: Waking) => void
}

/** Makes the step that moves one claimed instance towards its desired state. It throws only if the database is away. */
export const instanceSteps =
  (context: StepContext): ((row: InstanceRow) => Promise<void>) =>
  (row) =>
    step(context, row)

async function step(context: StepContext, row: InstanceRow): Promise<void> {
  const { world } = context
  try {
    if (row.runState === 'failed' || (row.runState === 'creating' && row.desired === 'running'))
      await placeInstance(context, row)
    else if (row.sledId !== null) await reconcile(context, row, row.sledId)
    // No sled has its machine, so it has stopped, whatever its state says.
    else await endBoot(context, row, { state: 'stopped' })
  } catch (error) {
    // The claim expires.
    if (isOutage(error) || error instanceof DrivenElsewhere) return
    const known = error instanceof SledUnreachable
    if (!known)
      world.log.error(
        { instance: row.id, stack: error instanceof Error ? error.stack : String(error) },
        'instance not driven',
      )
    await retryLater(world, row)
  }
}

/** A new instance is placed; a failed one is placed again if its policy and cooldown let it. */
async function placeInstance({ world, wake }: StepContext, claimed: InstanceRow): Promise<void> {
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
  if (started instanceof Fault) await recordFailedStart(world, claimed, started.message)
  else {
    wake(`networks ${claimed.id}`)
    // Its sled may be driven by another server.
    if (hostLeasesOf(world).isShared) wake('instances')
  }
}

/** A start that found no room or quota: a new instance stays stopped, a failed one tries again later. */
async function recordFailedStart(world: World, claimed: InstanceRow, lastError: string): Promise<void> {
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

/** Asks the sled for the desired state, or checks that what should run still does. */
async function reconcile(context: StepContext, row: InstanceRow, sledId: string): Promise<void> {
  const { world, report } = context
  // A guest that shuts itself down is waited for.
  if (row.runState === 'stopping' && row.desired === 'stopped') return stopMachine(context, row, sledId)
  if (row.migrationSledId !== null) return move(context, row, { from: sledId, to: row.migrationSledId })
  if (row.runState === 'starting' || row.runState === 'rebooting') {
    if (row.runState === 'starting' && world.sleds.keepsBytes(sledId)) await giveLayers(world, row)
    const spec = await world.engine.transaction('read', (tx) => specOf(tx, row))
    if (row.runState === 'starting' && !(await haveBytes(world, row, spec)))
      return endBoot(context, row, { state: 'failed', reason: 'bytes of a disk are missing' })
    await world.sleds.ensure(row.id, spec)
    // Another server may have stopped it since, and no other step would remove the machine.
    if (!(await isStillOn(world, row, sledId))) return world.sleds.remove(row.id, sledId, row.boot)
  }
  const status = await inNewLayers(world, row, await currentBoot(world, row, sledId))
  if (!status && row.runState === 'stopping') return endBoot(context, row, { state: 'stopped' })
  if (!status)
    return endBoot(context, row, { state: 'failed', reason: 'the sled no longer holds this machine' })
  // The driver could not switch it yet.
  if (status.state === 'running' && isBehind(row, status.storage)) return retryLater(world, row)
  await report(status)
  if (row.attempts > 0) await resetAttempts(world, row)
}

/** The machine on the sled; null if that has an older boot only, as a host that another server has replaced. */
async function currentBoot(
  { sleds }: World,
  { id, boot }: InstanceRow,
  sledId: string,
): Promise<VmStatus | null> {
  const status = await sleds.inspect(id, sledId)
  return status && status.boot < boot ? null : status
}

/** Switches a running machine to the newest layers and sizes of its disks. Returns its new status. */
async function inNewLayers(
  { engine, sleds }: World,
  claimed: InstanceRow,
  status: VmStatus | null,
): Promise<VmStatus | null> {
  const { id, boot } = claimed
  if (status?.state !== 'running' || status.boot !== boot || !isBehind(claimed, status.storage)) return status
  // Together, so that they belong to the same switch.
  const to = await engine.transaction('read', async (tx) => {
    const row = await rowOf(tx, id)
    if (row?.boot !== boot || !isBehind(row, status.storage)) return undefined
    const disks = (await disksOf(tx, row)).map((disk) => ({
      id: disk.id,
      layers: disk.layers,
      size: disk.size,
    }))
    return { boot, storage: row.storage ?? 0, disks }
  })
  if (!to) return status
  await sleds.setLayers(id, status.sledId, to)
  return sleds.inspect(id, status.sledId)
}

/**
 * Asks the guest to shut down, and powers its machine off if that takes too long or the stop is forced. One that was on its way to another sled may
 * have arrived there.
 */
async function stopMachine(context: StepContext, row: InstanceRow, sledId: string): Promise<void> {
  const { sleds, clock } = context.world
  // While the sled did not answer, the guest was not asked.
  const wasAsked = row.attempts === 0
  const isLate = wasAsked && clock.now() >= row.timeRunStateUpdated + guestShutdownMs
  const isForced = row.forcedBoot === row.boot
  for (const on of [sledId, row.migrationSledId]) {
    if (on === null) continue
    if (isLate || isForced) await sleds.remove(row.id, on, row.boot)
    else await sleds.shutDown(row.id, on, row.boot)
    const status = await sleds.inspect(row.id, on)
    if (status?.boot === row.boot) {
      await context.report(status, sledId)
      return wasAsked ? undefined : resetAttempts(context.world, row)
    }
    // It has never begun there, and an older boot is left.
    if (status) await sleds.remove(row.id, on, row.boot)
  }
  await endBoot(context, row, { state: 'stopped' })
}

/** Asks for the migration, and stores how far it is. The sled that it leaves need not answer once it has arrived. */
async function move(
  context: StepContext,
  row: InstanceRow,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { sleds, engine } = context.world
  const arrived = await sleds.inspect(row.id, to).catch(unlessUnreachable)
  if (arrived) return context.report(arrived, from)
  if (isBehind(row, row.storageConfirmed))
    await inNewLayers(context.world, row, await sleds.inspect(row.id, from))
  const spec = await engine.transaction('read', (tx) => specOf(tx, row))
  await sleds.migrate(row.id, { id: row.migrationId ?? '', to, spec })
  // It may arrive between two looks: the sled that it leaves is asked first.
  const status = (await sleds.inspect(row.id, from)) ?? (await sleds.inspect(row.id, to))
  if (status) return context.report(status, from)
  await endBoot(context, row, { state: 'failed', reason: 'neither sled holds this machine any longer' })
}

function unlessUnreachable(error: unknown): null {
  if (error instanceof SledUnreachable) return null
  throw error
}

/** False if bytes of a disk are missing: a guest that starts without them would damage the rest. */
async function haveBytes(world: World, row: InstanceRow, { disks }: VmSpec): Promise<boolean> {
  try {
    for (const { layers } of disks) await requireBytes(world, layers)
    return true
  } catch (error) {
    if (!(error instanceof BytesMissing)) throw error
    world.log.error({ instance: row.id, layers: error.layers }, 'an instance cannot start: bytes are missing')
    return false
  }
}

async function isStillOn(world: World, { id }: InstanceRow, sledId: string): Promise<boolean> {
  const row = await world.engine.transaction('read', (tx) => rowOf(tx, id))
  return row?.sledId === sledId
}

// The sled responds again: the backoff starts over.
async function resetAttempts(world: World, { id, boot }: InstanceRow): Promise<void> {
  await world.engine.transaction('write', async (tx) => {
    await tx
      .updateTable('instance')
      .set({ attempts: 0 })
      .where('id', '=', id)
      .where('boot', '=', boot)
      .execute()
  })
}

async function endBoot(
  { world, wake }: StepContext,
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
    storage: 0,
    ...how,
  }
  await world.engine.transaction('write', async (tx) => {
    const row = await rowOf(tx, claimed.id)
    if (row && row.boot === boot && row.sledId === claimed.sledId)
      await applyStatus(world, tx, { row, status })
  })
  wake(`networks ${claimed.id}`)
}

async function retryLater(world: World, claimed: InstanceRow): Promise<void> {
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
