/** How long a query may go on, and how long at once. */
import type { Clock } from '../ports.ts'
import { turn } from '../turn.ts'
import { QueryError } from './syntax.ts'

const longestMs = 10_000
const pointsPerTurn = 50_000

/** Gives others a turn after so many points. Throws QueryError when the query has taken too long. */
export function createBreath(clock: Pick<Clock, 'now'>): (points: number) => Promise<void> {
  const began = clock.now()
  let points = 0
  return async (more) => {
    if (clock.now() - began > longestMs)
      throw new QueryError(
        `The query took longer than ${longestMs / 1000} seconds: filter more, or take a shorter range`,
      )
    points += more
    if (points < pointsPerTurn) return
    points = 0
    await turn()
  }
}
