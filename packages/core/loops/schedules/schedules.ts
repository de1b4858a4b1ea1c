/**
 * Makes the runs of schedules that are due, as the users who have set them, with their roles of that moment. A run is made
 * up for once, however many were missed.
 */
import type { AskAs, World } from '#/context.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { outageMs, type Loop } from '../loop.ts'
import { nextTime, take, type RunKind, type RunTable } from './claims.ts'
import { ofProjects } from './of-projects.ts'
import { ofDisks } from './snapshots.ts'

const longestMs = 10 * 60_000

/** The loop. Servers share the schedules by leases. */
export function runSchedules(world: World, askAs: AskAs): Loop {
  const { engine, clock, lookMs = longestMs } = world
  let isStopped = false

  /** Makes all runs of a kind that are due. Returns when the next one is, or 'away'. */
  async function runAll<T extends RunTable>(kind: RunKind<T>): Promise<number | 'away'> {
    while (!isStopped) {
      const row = await take(world, kind)
      if (!row) break
      if ((await kind.run({ world, askAs, row })) === 'away') return 'away'
      await yieldToEventLoop()
    }
    return engine.transaction('read', (tx) => nextTime(tx, kind.table, clock.now()))
  }

  return {
    name: 'schedules',
    stop: () => void (isStopped = true),
    async round() {
      const ofDisk = await runAll(ofDisks)
      const ofProject = ofDisk === 'away' ? ofDisk : await runAll(ofProjects)
      if (ofDisk === 'away' || ofProject === 'away') return clock.now() + outageMs
      return Math.min(ofDisk, ofProject, clock.now() + lookMs)
    },
  }
}
