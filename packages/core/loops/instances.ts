/**
 * Drives instances to their desired state. A row says when it is due; a round claims what is due,
 * asks the sleds, and notes when to look again. Reports of the sleds arrive beside the rounds. Every
 * step may be repeated, so a crash anywhere is healed by the next round of any server.
 */
import { autoRestartCooldownMs } from '@purlin/contract/rules/instance'
import type { World } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import { Fault } from '../faults.ts'
import { SledUnreachable, type VmStatus } from '../ports.ts'
import { place, release } from '../resources/instance/placement.ts'
import { restartsByItself, type InstanceRow } from '../resources/instance/view.ts'
import { changeInstance } from '../resources/instance/write.ts'
import type { Loop } from './loops.ts'
import { specOf } from './spec.ts'

// A machine that runs is looked after this often, in case a report was lost.
const checkMs = 30_000
const perRound = 32
const longestWaitMs = 5 * 60_000

const backoff = (attempts: number) => Math.min(longestWaitMs, 1_000 * 2 ** Math.min(attempts, 12))

export interface InstanceLoop {
  loop: Loop
  settled(): Promise<void>
  stop(): void
}

/** Makes the loop and begins to listen to the sleds. */
export function instanceLoop(world: World): InstanceLoop {
  const { engine, clock, log } = world
  let reports: Promise<void> = Promise.resolve()

  const unwatch = world.sleds.watch((status) => {
    reports = reports.then(() => report(status)).catch((error: unknown) => log.error({ instance: status.id, error: String(error) }, 'report not taken in'))
  })

  /** Takes in what a sled says. Late reports of older boots change nothing. */
  async function report(status: VmStatus): Promise<void> {
    const ended = await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, status.id)
      if (!row || row.sledId !== status.sledId || status.boot !== row.boot || status.seq <= row.seq) return null
      return takeIn(world, tx, row, status)
    })
    if (ended) await forget(ended)
  }

  // What a sled still holds of a machine that has ended is of no use any more.
  async function forget({ id, sledId }: { id: string; sledId: string }): Promise<void> {
    await world.sleds.remove(id, sledId).catch((error: unknown) => log.warn({ instance: id, error: String(error) }, 'machine not removed'))
  }

  async function round(): Promise<number> {
    const now = clock.now()
    for (;;) {
      const due = await engine.transaction('write', (tx) => claim(tx, now))
      if (due.length === 0) break
      await Promise.all(due.map((row) => step(row)))
    }
    const next = await engine.transaction('read', (tx) => tx.selectFrom('instance').select('dueAt').where('dueAt', 'is not', null).orderBy('dueAt').limit(1).executeTakeFirst())
    return next?.dueAt ?? now + checkMs
  }

  async function step(row: InstanceRow): Promise<void> {
    try {
      if (row.runState === 'failed' || (row.runState === 'creating' && row.desired === 'running')) await begin(row)
      else if (row.sledId !== null) await tend(row, row.sledId)
      // No sled holds it: whatever it was on its way to, it has stopped.
      else await end(row, { state: 'stopped' })
    } catch (error) {
      const known = error instanceof SledUnreachable
      if (!known) log.error({ instance: row.id, stack: error instanceof Error ? error.stack : String(error) }, 'instance not driven')
      await later(row)
    }
  }

  /** A new instance is placed; a failed one is placed again if its policy and cooldown let it. */
  async function begin(claimed: InstanceRow): Promise<void> {
    const started = await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, claimed.id)
      if (!row || row.runState !== claimed.runState) return null
      const now = clock.now()
      const automatic = row.runState === 'failed'
      if (automatic && !mayRestart(row, now)) {
        await changeInstance(tx, row, { now, set: { dueAt: nextRestart(row) } })
        return null
      }
      await place(world, tx, { row, now, automatic })
      return null
    }).catch((error: unknown) => {
      if (error instanceof Fault) return error
      throw error
    })
    if (started instanceof Fault) await refused(claimed, started.message)
  }

  /** A start that found no room or quota: a new instance stays stopped, a failed one tries again later. */
  async function refused(claimed: InstanceRow, lastError: string): Promise<void> {
    await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, claimed.id)
      if (!row || row.runState !== claimed.runState) return
      const now = clock.now()
      const set =
        row.runState === 'creating'
          ? ({ runState: 'stopped', desired: 'stopped', dueAt: null, lastError } as const)
          : { dueAt: now + backoff(row.attempts + 5), attempts: row.attempts + 1, lastError }
      await changeInstance(tx, row, { now, set })
    })
  }

  /** Asks the sled for what the row wishes, or checks that what should run still does. */
  async function tend(row: InstanceRow, sledId: string): Promise<void> {
    if (row.runState === 'stopping') {
      await world.sleds.remove(row.id, sledId)
      if ((await world.sleds.inspect(row.id, sledId)) === null) await end(row, { state: 'stopped' })
      return
    }
    if (row.runState === 'starting' || row.runState === 'rebooting') {
      const spec = await engine.transaction('read', (tx) => specOf(tx, row))
      await world.sleds.ensure(row.id, spec)
    }
    const status = await world.sleds.inspect(row.id, sledId)
    if (status) await report(status)
    else await end(row, { state: 'failed', reason: 'the sled no longer holds this machine' })
  }

  async function end(claimed: InstanceRow, how: { state: 'stopped' | 'failed'; reason?: string }): Promise<void> {
    const { boot, reset } = claimed
    const status = { id: claimed.id, sledId: claimed.sledId ?? '', boot, reset, seq: Number.MAX_SAFE_INTEGER, ...how }
    await engine.transaction('write', async (tx) => {
      const row = await rowOf(tx, claimed.id)
      if (row && row.boot === boot && row.sledId === claimed.sledId) await takeIn(world, tx, row, status)
    })
  }

  async function later(claimed: InstanceRow): Promise<void> {
    await engine.transaction('write', async (tx) => {
      const dueAt = clock.now() + backoff(claimed.attempts)
      await tx.updateTable('instance').set({ dueAt, attempts: claimed.attempts + 1 }).where('id', '=', claimed.id).where('boot', '=', claimed.boot).execute()
    })
  }

  return {
    loop: { name: 'instances', round },
    settled: async () => {
      let seen
      do await (seen = reports)
      while (seen !== reports)
    },
    stop: unwatch,
  }
}

const rowOf = (tx: Tx, id: string): Promise<InstanceRow | undefined> =>
  tx.selectFrom('instance').selectAll().where('id', '=', id).executeTakeFirst()

/** Takes rows that are due and moves their time on, so that no other server takes them too. */
async function claim(tx: Tx, now: number): Promise<InstanceRow[]> {
  const rows = await tx.selectFrom('instance').selectAll().where('dueAt', '<=', now).orderBy('dueAt').limit(perRound).execute()
  const ids = rows.map((row) => row.id)
  if (ids.length) await tx.updateTable('instance').set({ dueAt: now + checkMs }).where('id', 'in', ids).execute()
  return rows
}

const nextRestart = (row: InstanceRow): number | null => {
  if (!restartsByItself(row) || row.intended !== 'running') return null
  return row.timeLastAutoRestarted === null ? 0 : row.timeLastAutoRestarted + autoRestartCooldownMs
}
function mayRestart(row: InstanceRow, now: number): boolean {
  const at = nextRestart(row)
  return at !== null && at <= now
}

/** Writes a report into the row. Returns the machine if it has ended there and is to be forgotten. */
async function takeIn(world: World, tx: Tx, row: InstanceRow, status: VmStatus): Promise<{ id: string; sledId: string } | null> {
  const now = world.clock.now()
  const seq = Math.min(status.seq, 2 ** 50)
  if (status.state === 'stopped' || status.state === 'failed') {
    await release(tx, row)
    // A machine that fails while it is being stopped has stopped.
    const failed = status.state === 'failed' && row.desired === 'running'
    const intended = status.guestShutdown && row.desired === 'running' ? 'guest_shutdown' : row.intended
    await changeInstance(tx, row, {
      now,
      set: {
        runState: failed ? 'failed' : 'stopped', sledId: null, seq, intended, desired: failed ? 'running' : 'stopped', attempts: 0,
        dueAt: failed ? nextRestart(row) : null, lastError: failed ? (status.reason ?? 'the machine failed') : null,
      },
    })
    return { id: row.id, sledId: status.sledId }
  }
  // Once it shall stop, nothing but its end is news; a reset that is wished is not undone by older reports.
  if (row.desired === 'stopped' || status.reset < row.reset) {
    await tx.updateTable('instance').set({ seq }).where('id', '=', row.id).execute()
    return null
  }
  await changeInstance(tx, row, { now, set: { runState: status.state, seq, attempts: 0, dueAt: now + checkMs } })
  return null
}
