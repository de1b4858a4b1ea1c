/** Ids of new rows. */
import type { Engine } from './engine.ts'

interface Making {
  engine: Pick<Engine, 'name'>
  ids: { uuid(): string }
  clock: { now(): number }
}

const perMoment = 4096
let moment = 0
let count = 0

/** A UUID in the order of time (RFC 9562, version 7), whose last 62 bits are those of a random one. */
function inOrder(now: number, random: string): string {
  if (now > moment) {
    moment = now
    count = 0
  } else if (++count === perMoment) {
    moment++
    count = 0
  }
  const time = moment.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${random.slice(19)}`
}

/**
 * The id of a new row. SQLite writes whole pages, so rows that are created together should be stored together. On
 * PostgreSQL, concurrent transactions would conflict on the last page of each index.
 */
export function newRowId({ engine, ids, clock }: Making): string {
  const random = ids.uuid()
  return engine.name === 'sqlite' ? inOrder(clock.now(), random) : random
}
