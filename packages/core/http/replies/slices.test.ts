import { OxqlQueryResult } from '@purlin/contract/operations/metrics/timeseries'
import { Datum } from '@purlin/contract/operations/metrics/metrics'
import {
  array,
  boolean,
  integer,
  nullable,
  number,
  object,
  optional,
  record,
  type Schema,
  string,
  time,
  union,
  unlimited,
} from '@purlin/contract/schema'
import { encode } from '@purlin/contract/wire'
import { describe, expect, it } from 'vitest'
import fc from '#/testing/properties.ts'
import { encodeInSlices } from './slices.ts'

const text = string(unlimited)
const Thing = object({
  name: text,
  sizeBytes: optional(nullable(integer())),
  at: optional(time()),
  labels: record(nullable(text), unlimited),
  parts: array(
    union('kindOf', { some: { values: array(nullable(number()), unlimited) }, none: {} }),
    unlimited,
  ),
  flags: array(boolean(), unlimited),
})
const part = fc.oneof(
  fc.record({ kindOf: fc.constant('some' as const), values: fc.array(fc.option(fc.double())) }),
  fc.record({ kindOf: fc.constant('none' as const) }),
)
const thing = fc.record(
  {
    name: fc.string({ unit: 'binary' }),
    sizeBytes: fc.option(fc.integer()),
    at: fc.date({ noInvalidDate: true }),
    labels: fc.dictionary(fc.string(), fc.option(fc.string())),
    parts: fc.array(part),
    flags: fc.array(fc.boolean()),
  },
  { requiredKeys: ['name', 'labels', 'parts', 'flags'] },
)
const whole = <O>(schema: Schema<O, unknown>, value: O) => JSON.stringify(encode(schema, value))

describe('an answer in slices is the same as in one piece', () => {
  it('for values of every kind', async () => {
    const property = fc.asyncProperty(fc.array(thing), async (things) => {
      const schema = array(Thing, unlimited)
      expect(await encodeInSlices(schema, things)).toBe(whole(schema, things))
    })
    await fc.assert(property, { numRuns: 200 })
  })

  it('for long lists, whose pieces are joined', async () => {
    const schema = array(nullable(number()), unlimited)
    for (const length of [0, 1, 1999, 2000, 2001, 10_000]) {
      const values = Array.from({ length }, (_, i) => (i % 7 === 0 ? null : i / 3))
      expect(await encodeInSlices(schema, values)).toBe(whole(schema, values))
    }
  })

  it('for schemas of the API', async () => {
    const timestamps = Array.from({ length: 5000 }, (_, i) => new Date(i * 1000).toISOString())
    const values = { type: 'double' as const, values: timestamps.map((_, i) => (i % 3 === 0 ? null : i / 7)) }
    const points = { startTimes: null, timestamps, values: [{ metricType: 'gauge' as const, values }] }
    const fields = { project_id: { type: 'string' as const, value: '"quoted"' } }
    const result = { tables: [{ name: 'a:b', timeseries: [{ fields, points }] }] }
    expect(await encodeInSlices(OxqlQueryResult, result)).toBe(whole(OxqlQueryResult, result))
    const missing = { type: 'missing' as const, datum: { datumType: 'bool' as const } }
    expect(await encodeInSlices(Datum, missing)).toBe(whole(Datum, missing))
  })
})

it('other work runs while a large answer is made', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const values = Array.from({ length: 500_000 }, (_, i) => i + 0.5)
  const text = await encodeInSlices(array(number(), unlimited), values)
  isDone = true
  expect(turns).toBeGreaterThan(text.length / (512 * 1024))
})
