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

  /** Makes a run of a kind, if one is due. */
  async function runOne<T extends RunTable>(kind: RunKind<T>): Promise<'ended' | 'away' | 'none'> {
    const row = await take(world, kind)
    return row ? kind.run({ world, askAs, row }) : 'none'
  }

  /** Makes all runs that are due, of each kind in turn: the many of disks do not delay the few of projects. */
  async function runAll(): Promise<'ended' | 'away'> {
    while (!isStopped) {
      const ended = [await runOne(ofProjects), await runOne(ofDisks)]
      if (ended.includes('away')) return 'away'
      if (ended.every((one) => one === 'none')) break
      await yieldToEventLoop()
    }
    return 'ended'
  }

  const next = ({ table }: { table: RunTable }) =>
    engine.transaction('read', (tx) => nextTime(tx, table, clock.now()))

  return {
    name: 'schedules',
    stop: () => void (isStopped = true),
    async round() {
      if ((await runAll()) === 'away') return clock.now() + outageMs
      return Math.min(await next(ofProjects), await next(ofDisks), clock.now() + lookMs)
    },
  }
}
