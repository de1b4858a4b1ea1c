/** Periodic work that exactly one server does at a time, held by a lease in the database. */
import type { World } from '#/context.ts'
import { claim, setLease, takeOverMs } from '#/db/rows/leases.ts'
import { yieldToEventLoop, type Checkpoint } from '#/concurrency/checkpoints.ts'

export interface PeriodicTask {
  /** Names its lease. */
  name: string
  everyMs: number
  run(checkpoint: Checkpoint): Promise<void>
}

/** Runs the task, which every server has its part of. */
export async function runOnAll(
  { clock }: World,
  isStopped: () => boolean,
  task: PeriodicTask,
): Promise<number> {
  const began = clock.now()
  await task.run(async () => {
    await yieldToEventLoop()
    return !isStopped()
  })
  return Math.max(clock.now(), began + task.everyMs)
}

/** Runs the task if it is due and no other server has its lease; returns the time of the next check. */
export async function runWithLease(
  { engine, clock }: World,
  isStopped: () => boolean,
  task: PeriodicTask,
): Promise<number> {
  const renew = (until: number) => engine.transaction('write', (tx) => setLease(tx, task.name, { until }))
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
