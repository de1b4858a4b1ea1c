/** Periodic work that exactly one server does at a time, held by a lease in the database. */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { yieldToEventLoop, type Checkpoint } from '#/concurrency/checkpoints.ts'

export interface PeriodicTask {
  /** Names its lease. */
  name: string
  everyMs: number
  run(checkpoint: Checkpoint): Promise<void>
}

/**
 * Work that a server has claimed and then not touched for this long is taken over by another one. Others look every
 * `World.lookMs`, and at the end of a claim that they have seen: five seconds after a server has ended at the latest.
 */
export const takeOverMs = 4_000

/** Runs the task if it is due and no other server has its lease; returns the time of the next check. */
export async function runWithLease(
  { engine, clock }: World,
  isStopped: () => boolean,
  task: PeriodicTask,
): Promise<number> {
  const renew = (until: number) => engine.transaction('write', (tx) => setLease(tx, task.name, until))
  const due = await engine.transaction('write', (tx) => {
    const now = clock.now()
    return claim(tx, task.name, { now, until: now + takeOverMs })
  })
  if (due !== null) return due
  const began = clock.now()
  let renewed = began
  await task.run(async () => {
    if (isStopped()) return false
    await yieldToEventLoop()
    if (clock.now() < renewed + takeOverMs / 2) return true
    renewed = clock.now()
    await renew(renewed + takeOverMs)
    return true
  })
  // Unfinished work is due immediately, for any server.
  const next = isStopped() ? clock.now() : Math.max(clock.now(), began + task.everyMs)
  await renew(next)
  return next
}

/** Takes a lease until a time. Returns the end of another server's claim if there is one, and then takes nothing. */
export async function claim(
  tx: Tx,
  name: string,
  { now, until }: { now: number; until: number },
): Promise<number | null> {
  const lease = await tx.selectFrom('lease').select('until').where('name', '=', name).executeTakeFirst()
  if (lease && lease.until > now) return lease.until
  await setLease(tx, name, until)
  return null
}

/** Takes a lease, or moves its end. */
export async function setLease(tx: Tx, name: string, until: number): Promise<void> {
  await tx
    .insertInto('lease')
    .values({ name, holder: '', until })
    .onConflict((on) => on.column('name').doUpdateSet({ until }))
    .execute()
}
