import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newRowId } from './row-id.ts'

const ordered = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function make(name: 'sqlite' | 'postgres', moments: readonly number[]): string[] {
  let now = 0
  const world = { engine: { name }, ids: { uuid: () => randomUUID() }, clock: { now: () => now } }
  return moments.map((moment) => {
    now = moment
    return newRowId(world)
  })
}
const start = Date.parse('2100-01-01T00:00:00Z')

it('ids on SQLite grow, within a millisecond and when the clock is set back', () => {
  const sameMoment = Array.from({ length: 10_000 }, () => start)
  const made = make('sqlite', [...sameMoment, start - 60_000, start + 1, start + 60_000])
  expect(made.filter((id) => !ordered.test(id))).toEqual([])
  expect(made).toEqual([...new Set(made)].toSorted())
  expect(Number.parseInt(made.at(-1)?.replace('-', '').slice(0, 12) ?? '', 16)).toBe(start + 60_000)
})

it('ids on PostgreSQL have no order', () => {
  const made = make('postgres', [1, 2, 3])
  expect(made.filter((id) => !random.test(id))).toEqual([])
})
