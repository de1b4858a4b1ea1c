/** Limits of a query: how long it may take, and how long it may block the event loop. */
import type { Clock } from '#/ports.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { QueryError } from './syntax.ts'

const timeLimitMs = 10_000
const pointsPerYield = 5000

/** Yields to the event loop after this number of points. Throws QueryError when the query has taken too long. */
export function createCheckpoint(clock: Pick<Clock, 'now'>): (points: number) => Promise<void> {
  const began = clock.now()
  let points = 0
  return async (more) => {
    if (clock.now() - began > timeLimitMs)
      throw new QueryError(
        `The query took longer than ${timeLimitMs / 1000} seconds: filter more, or take a shorter range`,
      )
    points += more
    if (points < pointsPerYield) return
    points = 0
    await yieldToEventLoop()
  }
}
