import fc from '#/testing/properties.ts'
import { expect, it } from 'vitest'
import { memoryReader, schemaOf, type Stored } from '#/testing/memory-series.ts'
import { alignSeries } from './align.ts'
import { pointFilter } from './filter.ts'
import { answerQuery } from './query.ts'
import { type Atom, type Expr, QueryError } from './syntax.ts'
import type { Series } from './table.ts'

const schemas = [
  schemaOf('a:gauge', 'f64', { vm: 'string', cpu: 'u32' }),
  schemaOf('a:counter', 'cumulative_u64', { vm: 'string', cpu: 'u32' }),
]
const now = 1_000_000
const moment = (second: number) => `@${new Date(second * 1000).toISOString().slice(0, -1)}`

/** A point about every ten seconds until `now`; values may be missing, and counters may be reset. */
const series = fc.array(
  fc.record({
    step: fc.integer({ min: 1, max: 10_000 }),
    value: fc.nat(50),
    isMissing: fc.boolean(),
    isReset: fc.boolean(),
  }),
  { minLength: 100, maxLength: 100 },
)
const stored = fc.array(series, { minLength: 3, maxLength: 3 }).map((all) =>
  all.flatMap((points, cpu): Stored[] => {
    const times = points.map(({ step }, i) => i * 10_000 + step)
    const fields = { vm: cpu === 2 ? 'other' : 'web', cpu }
    // Both occur often, but never for long.
    const values = points.map(({ value, isMissing }, i) => (isMissing && i % 7 === 3 ? null : value))
    let start = -60_000
    let total = 0
    const counted = points.map(({ isReset }, i) => {
      const value = values[i] ?? null
      if (isReset && i % 17 === 16) [start, total] = [times[i - 1] ?? 0, 0]
      total += value ?? 0
      return { start, value: value === null ? null : total }
    })
    return [
      { of: 'a:gauge', fields, times, values },
      {
        of: 'a:counter',
        fields,
        times,
        starts: counted.map((one) => one.start),
        values: counted.map((one) => one.value),
      },
    ]
  }),
)

const second = fc.integer({ min: -50, max: 1100 }).map(moment)
const timeAtom = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '!=', '=='), second)
  .map(([cmp, at]) => `timestamp ${cmp} ${at}`)
const pointAtom = fc.oneof(timeAtom, timeAtom, fc.constantFrom('datum > 20', '!(datum < 9)'))
const fieldAtom = fc.constantFrom("vm == 'web'", 'cpu > 0', "vm ~= 'o'")
const filterBy = (atom: fc.Arbitrary<string>) => {
  const operator = fc.constantFrom('&&', '||', '^')
  const negated = fc.tuple(atom, operator, atom).map(([a, by, b]) => `!(${a} ${by} ${b})`)
  const nested = fc.tuple(atom, operator, negated).map(([a, by, b]) => `!(${a} ${by} ${b})`)
  return fc.oneof(atom, atom, negated, nested).map((expr) => `filter ${expr}`)
}
const filter = filterBy(fc.oneof(pointAtom, pointAtom, fieldAtom))
const limit = fc
  .tuple(fc.constantFrom('first', 'last'), fc.integer({ min: 1, max: 40 }))
  .map(([side, n]) => `${side} ${n}`)
const some = (...ops: fc.Arbitrary<string>[]) => fc.array(fc.oneof(...ops), { maxLength: 2 })
const align = fc.integer({ min: 3, max: 90 }).map((period) => `align mean_within(${period}s)`)
const range = fc.integer({ min: 3, max: 90 }).map((period) => `align range_within(${period}s)`)
const ofTimes = some(timeAtom.map((atom) => `filter ${atom}`))
// No conditions on `datum`, because a range and a joined table have several dimensions.
const ofSeveral = some(filterBy(fc.oneof(timeAtom, fieldAtom)), limit)
const ranged = fc.tuple(range, ofSeveral).map(([first, after]) => [first, ...after])
const aligned = fc
  .tuple(align, some(filter, limit), fc.constantFrom([], ['group_by [vm], sum']), ofTimes)
  .map(([first, between, grouping, last]) => [first, ...between, ...grouping, ...last])
const simple = fc
  .tuple(
    fc.constantFrom('a:gauge', 'a:counter'),
    some(filter, limit),
    fc.oneof(fc.constant([]), aligned, ranged),
  )
  .map(([name, ops, more]) => [`get ${name}`, ...ops, ...more])
const joined = fc
  .tuple(some(filter, limit), some(filter, limit), align, ofSeveral, ofSeveral)
  .map(([gauge, counter, first, before, after]) => {
    const queries = [
      ['get a:gauge', ...gauge],
      ['get a:counter', ...counter],
    ].map((ops) => ops.join(' | '))
    return [`{ ${queries.join('; ')} }`, first, ...before, 'join', ...after]
  })
const query = fc
  .oneof({ weight: 4, arbitrary: simple }, { weight: 1, arbitrary: joined })
  .map((ops) => [...ops, 'filter vm != "none"'].join(' | '))

/** The result and the number of points read; with `ignoresRequest`, the storage ignores times and limits. */
async function answer(all: readonly Stored[], text: string, ignoresRequest: boolean) {
  const reader = memoryReader(schemas, all, ignoresRequest)
  const tables = await answerQuery(text, null, { reader, now, checkpoint: () => Promise.resolve() }).catch(
    (error: unknown) => {
      // The set of series of a table depends on the times that are read.
      if (error instanceof QueryError && error.message.startsWith('Cannot join')) return null
      throw error
    },
  )
  return { tables, pointsRead: reader.pointsRead }
}

it('pushing conditions down to the storage does not change the result', async () => {
  const read = { pushed: 0, full: 0 }
  const property = fc.asyncProperty(stored, query, async (all, text) => {
    const [pushed, full] = [await answer(all, text, false), await answer(all, text, true)]
    read.pushed += pushed.pointsRead
    read.full += full.pointsRead
    if (pushed.tables && full.tables) expect(pushed.tables, text).toEqual(full.tables)
  })
  await fc.assert(property, { numRuns: 150 })
  expect(read.pushed).toBeLessThan(read.full * 0.8)
})

// Counterexamples of the property above, and queries that fail without one of the rules for them.
const counterexamples = [
  "get a:gauge | filter !(timestamp < @1970-01-01T00:00:01.000 ^ vm == 'web') | align mean_within(3s) | filter timestamp >= @1970-01-01T00:02:04.000 | filter vm != 'none'",
  "get a:gauge | align mean_within(3s) | filter vm ~= 'o'",
  "get a:gauge | align mean_within(3s) | filter !(vm ~= 'o' || timestamp >= @1970-01-01T00:00:06.000)",
  'get a:gauge | filter timestamp < @00:01:40 || timestamp > @00:08:20 | filter timestamp <= @now() | align mean_within(3s) | filter timestamp > @00:07:30',
  'get a:counter | filter timestamp < @00:01:40 || timestamp > @00:08:20 | filter timestamp <= @now() | align mean_within(3s) | filter timestamp > @00:07:30',
  'get a:counter | filter timestamp < @00:01:40 || timestamp > @00:08:20 | filter timestamp <= @now() | align mean_within(3s) | filter timestamp < @00:05:00',
  'get a:counter | filter datum < 2 | align mean_within(3s) | filter timestamp > @00:10:00',
  "get a:gauge | align mean_within(3s) | first 2 | filter vm == 'other'",
  "get a:gauge | align mean_within(3s) | align mean_within(9s) | filter vm == 'other'",
  "{ get a:gauge; get a:counter } | align mean_within(3s) | join | filter vm ~= 'o'",
  "{ get a:gauge; get a:counter | last 34 } | align mean_within(12s) | join | filter vm ~= 'o' | first 1 | filter vm != 'none'",
  "{ get a:gauge | filter datum > 20; get a:counter } | align mean_within(3s) | filter vm == 'web' | join",
]
it.each(counterexamples)('%s', async (text) => {
  for (const all of fc.sample(stored, { numRuns: 20, seed: 3 })) {
    const [pushed, full] = [await answer(all, text, false), await answer(all, text, true)]
    expect(pushed.tables).toEqual(full.tables)
    expect(pushed.tables).not.toBeNull()
  }
})

it('the means of all windows add up to the total', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 1000 })), {
    minLength: 2,
    maxLength: 60,
  })
  const property = fc.property(
    steps,
    fc.integer({ min: 60, max: 20_000 }),
    fc.nat(10_000),
    (list, period, later) => {
      let at = 0
      const timestamps = Float64Array.from(list, ([step]) => (at += step))
      const values = Float64Array.from(list, ([, value]) => value)
      // Counts before the first point do not belong to its window.
      const startTimes = Float64Array.from(timestamps, (_, i) => timestamps[Math.max(0, i - 1)] ?? 0)
      const one: Series = { key: '', fields: {}, timestamps, startTimes, values: [values] }
      const [aligned] = alignSeries([one], { method: 'mean_within', end: at + later, period }, 1e6)
      const [means] = aligned?.values ?? []
      const amounts = Array.from(aligned?.timestamps ?? [], (end, i) => {
        const inside = timestamps.filter((time) => end - period < time && time <= end).length
        return Number(means?.[i] || 0) * Math.max(1, inside)
      })
      const total = values.reduce((sum, value) => sum + value, 0)
      expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(total, 4)
    },
  )
  fc.assert(property, { numRuns: 300 })
})

const atoms: [Atom, (cpu: number, at: number, value: number) => boolean][] = [
  [{ kind: 'atom', ident: 'cpu', cmp: '>', literal: { type: 'Integer', value: 1n } }, (cpu) => cpu > 1],
  [
    { kind: 'atom', ident: 'vm', cmp: '~=', literal: { type: 'String', value: '[02]$' } },
    (cpu) => cpu % 2 === 0,
  ],
  [
    {
      kind: 'atom',
      ident: 'timestamp',
      cmp: '<=',
      literal: { type: 'Timestamp', value: { since: 'epoch', ms: 5 } },
    },
    (_, at) => at <= 5,
  ],
  [
    { kind: 'atom', ident: 'datum', cmp: '!=', literal: { type: 'Double', value: 3 } },
    (_, _at, value) => value !== 3,
  ],
]
const { expr: exprs } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...atoms.map(([atom]) => atom)),
    fc.record({ kind: fc.constant('not' as const), of: tie('expr') }),
    fc.record({
      kind: fc.constantFrom('or', 'and', 'xor'),
      of: fc.array(tie('expr'), { minLength: 2, maxLength: 4 }),
    }),
  ),
}))

it('a filter keeps the points for which its expression is true', () => {
  const holds = (expr: Expr, ...point: [number, number, number]): boolean => {
    if (expr.kind === 'atom') return atoms.find(([atom]) => atom === expr)?.[1](...point) ?? false
    if (expr.kind === 'not') return !holds(expr.of, ...point)
    const parts = expr.of.map((part) => holds(part, ...point))
    if (expr.kind === 'xor') return parts.filter(Boolean).length % 2 === 1
    return expr.kind === 'or' ? parts.includes(true) : !parts.includes(false)
  }
  const property = fc.property(
    exprs,
    fc.nat(3),
    fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
    (expr, cpu, values) => {
      const one: Series = {
        key: '',
        fields: { cpu: { type: 'u32', value: cpu }, vm: { type: 'string', value: `vm${cpu}` } },
        timestamps: Float64Array.from(values.keys()),
        startTimes: null,
        values: [Float64Array.from(values)],
      }
      const kept = [...(pointFilter(expr, now)(one)?.timestamps ?? [])]
      expect(kept).toEqual([...values.keys()].filter((at) => holds(expr, cpu, at, values[at] ?? 0)))
    },
  )
  fc.assert(property, { numRuns: 500 })
})
