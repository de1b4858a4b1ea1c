import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memoryReader, schemaOf, type Stored } from '../testing/memory-series.ts'
import { alignSeries } from './align.ts'
import { pointFilter } from './filter.ts'
import { answerQuery } from './query.ts'
import type { Atom, Expr } from './syntax.ts'
import type { Series } from './table.ts'

const schemas = [
  schemaOf('a:gauge', 'f64', { vm: 'string', cpu: 'u32' }),
  schemaOf('a:counter', 'cumulative_u64', { vm: 'string', cpu: 'u32' }),
]
const now = 1_000_000
const moment = (second: number) => `@${new Date(second * 1000).toISOString().slice(0, -1)}`

/** A point about every ten seconds until `now`; some are missing, and counters may begin again. */
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
    // Neither is rare, nor does either last.
    const values = points.map(({ value, isMissing }, i) => (isMissing && i % 7 === 3 ? null : value))
    let birth = -60_000
    let total = 0
    const counted = points.map(({ isReset }, i) => {
      const value = values[i] ?? null
      if (isReset && i % 17 === 16) [birth, total] = [times[i - 1] ?? 0, 0]
      total += value ?? 0
      return { birth, value: value === null ? null : total }
    })
    return [
      { of: 'a:gauge', fields, times, values },
      {
        of: 'a:counter',
        fields,
        times,
        births: counted.map((one) => one.birth),
        values: counted.map((one) => one.value),
      },
    ]
  }),
)

const second = fc.integer({ min: -50, max: 1100 }).map(moment)
const timeAtom = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '!='), second)
  .map(([cmp, at]) => `timestamp ${cmp} ${at}`)
const pointAtom = fc.oneof(timeAtom, timeAtom, fc.constantFrom('datum > 20', '!(datum < 9)'))
const fieldAtom = fc.constantFrom("vm == 'web'", 'cpu > 0', "vm ~= 'o'")
const filterBy = (atom: fc.Arbitrary<string>) => {
  const both = fc.tuple(atom, fc.constantFrom('&&', '||', '^'), atom)
  return fc
    .oneof(
      atom,
      atom,
      both.map(([a, by, b]) => `!(${a} ${by} ${b})`),
    )
    .map((expr) => `filter ${expr}`)
}
const filter = filterBy(fc.oneof(pointAtom, pointAtom, fieldAtom))
const limit = fc
  .tuple(fc.constantFrom('first', 'last'), fc.integer({ min: 1, max: 40 }))
  .map(([side, n]) => `${side} ${n}`)
const some = (...ops: fc.Arbitrary<string>[]) => fc.array(fc.oneof(...ops), { maxLength: 2 })
const tail = fc.oneof(
  fc.constant([]),
  fc
    .tuple(
      fc.integer({ min: 3, max: 90 }),
      // Without series that a later filter takes away, the times of the others may begin later.
      some(filterBy(pointAtom), limit),
      fc.constantFrom([], ['group_by [vm], sum']),
      some(timeAtom.map((atom) => `filter ${atom}`)),
    )
    .map(([period, between, grouping, last]) => [
      `align mean_within(${period}s)`,
      ...between,
      ...grouping,
      ...last,
    ]),
)
const query = fc
  .tuple(fc.constantFrom('a:gauge', 'a:counter'), some(filter, limit), tail)
  .map(([name, ops, more]) => [`get ${name}`, ...ops, ...more, 'filter vm != "none"'].join(' | '))

it('what is moved ahead to the storage changes no result', async () => {
  const read = { fine: 0, coarse: 0 }
  const property = fc.asyncProperty(stored, query, async (all, text) => {
    const ask = async (isCoarse: boolean) => {
      const reader = memoryReader(schemas, all, isCoarse)
      const tables = await answerQuery(text, null, { reader, now, breathe: () => Promise.resolve() })
      read[isCoarse ? 'coarse' : 'fine'] += reader.pointsRead
      return tables
    }
    expect(await ask(false), text).toEqual(await ask(true))
  })
  await fc.assert(property, { numRuns: 150 })
  expect(read.fine).toBeLessThan(read.coarse * 0.8)
})

it('a mean within windows loses nothing of what was counted and adds nothing', () => {
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
      // What was counted before the first point is not part of its window.
      const startTimes = Float64Array.from(timestamps, (_, i) => timestamps[Math.max(0, i - 1)] ?? 0)
      const one: Series = { key: '', fields: {}, timestamps, startTimes, values: [values] }
      const [aligned] = alignSeries([one], { end: at + later, period }, 1e6)
      const [means] = aligned?.values ?? []
      const amounts = Array.from(aligned?.timestamps ?? [], (end, i) => {
        const inside = timestamps.filter((time) => end - period < time && time <= end).length
        return Number(means?.[i] || 0) * Math.max(1, inside)
      })
      // What lies after the last whole window, which ends with the query, is nothing.
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

it('a filter keeps what its expression says, point by point', () => {
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
