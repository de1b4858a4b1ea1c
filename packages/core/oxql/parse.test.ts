import fc from '#/testing/properties.ts'
import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse.ts'
import { printExpr } from './print.ts'
import {
  comparisons,
  connectives,
  type Expr,
  type Literal,
  type Moment,
  QueryError,
  unitMs,
} from './syntax.ts'

const filterOf = (text: string): Expr => {
  const op = parseQuery(`get a:b | filter ${text}`)[1]
  if (op?.op !== 'filter') throw new Error('no filter')
  return op.expr
}
const printed = (text: string) => printExpr(filterOf(text))
const literalOf = (text: string): Literal => {
  const expr = filterOf(`x == ${text}`)
  if (expr.kind !== 'atom') throw new Error('no atom')
  return expr.literal
}
function errorOf(text: string): string {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
  throw new Error(`${text} was parsed`)
}
const expected = (text: string) => errorOf(text).split('\nExpected: ')[1]

describe('operations', () => {
  it('parses the queries of charts', () => {
    const text = `get virtual_machine:vcpu_usage
      | filter timestamp >= @2026-01-02T03:04:05.000 && instance_id == "11111111-2222-3333-4444-555555555555"
      | align mean_within(60s) | group_by [vcpu_id, state,], sum`
    expect(parseQuery(text)).toMatchObject([
      { op: 'get', name: 'virtual_machine:vcpu_usage' },
      {
        op: 'filter',
        expr: { kind: 'and', of: [{ ident: 'timestamp', cmp: '>=' }, { ident: 'instance_id' }] },
      },
      { op: 'align', method: 'mean_within', period: { count: 60, unit: 's' } },
      { op: 'group_by', fields: ['vcpu_id', 'state'], reducer: 'sum' },
    ])
  })
  it('allows white space around separators and requires it after words', () => {
    const tight = parseQuery('{get a:b|align interpolate(5m);get c:d|last 3}|join|group_by [],mean')
    const loose = parseQuery(
      '{\n get a:b\t| align interpolate(5m) ;\r\n get c:d | last 3 } | join | group_by [ ] , mean',
    )
    expect(loose).toEqual(tight)
    expect(expected('getx a:b')).toContain('a blank')
  })
  it('uses the mean if no reducer is given', () => {
    expect(parseQuery('get a:b | group_by [c]')[1]).toEqual({
      op: 'group_by',
      fields: ['c'],
      reducer: 'mean',
    })
  })
  it('parses nested groups', () => {
    expect(parseQuery('{ { get a:b; get c:d | first 2 } | join }')).toMatchObject([
      {
        op: 'group',
        queries: [[{ op: 'group', queries: [[{ name: 'a:b' }], [{}, { side: 'first' }]] }, { op: 'join' }]],
      },
    ])
  })
  it.each(['filter a == 1', 'get a:b | get c:d', '{ first 1 }', 'get a:b | { get c:d }'])(
    '%s: no get, or more than one',
    (text) => {
      expect(expected(text)).toBe('every subquery must start with a get operation')
    },
  )
})

describe('expressions', () => {
  it.each([
    ['a == 1 || b == 2 && c == 3 ^ !d == 4', 'a == 1 || b == 2 && c == 3 ^ !d == 4'],
    ['(a == 1 || b == 2) && c == 3', '(a == 1 || b == 2) && c == 3'],
    ['((a==1))&&(b!=2 && c<3)', 'a == 1 && (b != 2 && c < 3)'],
    ['!(a >= 1 ^ b<=2)', '!(a >= 1 ^ b <= 2)'],
    ['!!a ~= "x"', '!!a ~= "x"'],
  ])('%s', (text, same) => {
    expect(printed(text)).toBe(same)
    expect(filterOf(same)).toEqual(filterOf(text))
  })
})

describe('literals', () => {
  it.each<[string, Literal]>([
    ['true', { type: 'Boolean', value: true }],
    ['5ms', { type: 'Duration', value: { count: 5, unit: 'ms' } }],
    ['0x10d', { type: 'Integer', value: 0x10dn }],
    ['0x10m', { type: 'Duration', value: { count: 16, unit: 'm' } }],
    ['18446744073709551615', { type: 'Integer', value: 2n ** 64n - 1n }],
    ['-0x8', { type: 'Integer', value: -8n }],
    ['-1.5e-3', { type: 'Double', value: -0.0015 }],
    ['5.', { type: 'Double', value: 5 }],
    ['.5', { type: 'Double', value: 0.5 }],
    ['1E2', { type: 'Double', value: 100 }],
    ['"AAAABBBBCCCCDDDDEEEEFFFF00001111"', { type: 'Uuid', value: 'aaaabbbb-cccc-dddd-eeee-ffff00001111' }],
    ['"fd00:0::1"', { type: 'IpAddr', value: 'fd00::1' }],
    ['"10.0.0.1"', { type: 'IpAddr', value: '10.0.0.1' }],
    ['"FD00::1"', { type: 'String', value: 'FD00::1' }],
    ["'10.0.0.1'", { type: 'String', value: '10.0.0.1' }],
    [String.raw`"a\n\r\t\\\0\u{1f600}'"`, { type: 'String', value: "a\n\r\t\\\0😀'" }],
    ['@2026-01-02', { type: 'Timestamp', value: { since: 'epoch', ms: Date.UTC(2026, 0, 2) } }],
    [
      '@2026-01-02T03:04:05.6789',
      { type: 'Timestamp', value: { since: 'epoch', ms: Date.UTC(2026, 0, 2, 3, 4, 5) + 678.9 } },
    ],
    ['@03:04:05', { type: 'Timestamp', value: { since: 'midnight', ms: 11_045_000 } }],
    ['@now()-5m', { type: 'Timestamp', value: { since: 'now', sign: '-', by: { count: 5, unit: 'm' } } }],
  ])('%s', (text, literal) => {
    const read = literalOf(text)
    expect(read).toEqual(literal)
  })
  it.each([
    [
      'get a:b | filter x == 99999999999999999999',
      'an integer from -9223372036854775808 to 18446744073709551615',
    ],
    ['get a:b | filter x == 4294967296s', 'a duration of 0 to 4294967295 units'],
    ['get a:b | filter x == -1s', 'a duration of 0 to 4294967295 units'],
    ['get a:b | filter x == 1e999', 'a double that is finite'],
    ['get a:b | filter x == @2026-02-30', 'a day of the calendar'],
    ['get a:b | filter x == @24:00:00', 'a time of day'],
    [
      String.raw`get a:b | filter x == 'a\q'`,
      String.raw`one of the escapes \n \r \t \\ \0 \u{1-6 hex digits}`,
    ],
    [
      String.raw`get a:b | filter x == "\u{110000}"`,
      String.raw`one of the escapes \n \r \t \\ \0 \u{1-6 hex digits}`,
    ],
    ['get a:b | filter x ~= 5', 'a string: only string literals allowed after ~='],
    ['get a:b | filter x ~= "10.0.0.1"', 'a string: only string literals allowed after ~='],
    ['get a:b | first 0', 'an integer greater than zero'],
    ['get a:b | align mean_within(0s)', 'a period longer than zero'],
    [`get a:b | filter ${'('.repeat(33)}x == 1${')'.repeat(33)}`, 'at most 32 levels of nesting'],
    [`get a:b | filter ${'!'.repeat(4000)}x == 1`, 'at most 32 levels of nesting'],
  ])('%# is an error', (text, what) => expect(expected(text)).toBe(what))
})

describe('errors', () => {
  it('show the position', () => {
    expect(errorOf('get a:b\n| filter instance_id = "x" && timestamp > @now()')).toBe(
      [
        'Error at 2:22: .. | filter instance_id = "x" && timestamp > @no ..',
        '                                       ^',
        'Expected: a comparison',
      ].join('\n'),
    )
  })
  it('limit the length to 4096 characters without surrounding white space', () => {
    const long = `get a:b | filter x == '${'y'.repeat(4096 - 24)}'`
    expect(parseQuery(`  ${long}\n`)).toHaveLength(2)
    expect(errorOf(long.replace('y', 'yy'))).toBe('Queries must be <= 4096 characters')
  })
  it('any text is parsed or gives a QueryError', () => {
    const tokens = fc.constantFrom(
      'get ',
      'a:b',
      ' | ',
      'filter ',
      'x',
      ' == ',
      '"',
      "'",
      '\\',
      '(',
      ')',
      '!',
      '{',
      '}',
      ';',
      '@',
      'now()',
      '-',
      '5',
      'm',
      'group_by ',
      '[',
      ']',
      ',',
      'sum',
      'align ',
      'mean_within(',
      'join',
      'last ',
      '||',
      '&&',
      '^',
      '~=',
      '.',
      'e',
      '\n',
      '0x',
    )
    const text = fc.oneof(
      fc.array(tokens, { maxLength: 40 }).map((list) => list.join('')),
      fc.string({ unit: 'binary' }),
    )
    const property = fc.property(text, (input) => {
      for (const query of [input, `get a:b | ${input}`, `get a:b | filter ${input}`]) {
        try {
          parseQuery(query)
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError)
        }
      }
    })
    fc.assert(property, { numRuns: 200 })
  })
})

const units = fc.constantFrom(...(Object.keys(unitMs) as (keyof typeof unitMs)[]))
const durations = fc.record({ count: fc.nat(2 ** 31 - 1), unit: units })
const moments = fc.oneof<fc.Arbitrary<Moment>[]>(
  fc.record({ since: fc.constant('epoch'), ms: fc.double({ min: 1e12, max: 4e12, noNaN: true }) }),
  fc.record({ since: fc.constant('midnight'), ms: fc.nat(86_399_999) }),
  fc.record({
    since: fc.constant('now'),
    sign: fc.constantFrom('+', '-'),
    by: fc.record({ count: fc.integer({ min: 1, max: 9 }), unit: units }),
  }),
)
const literals = fc.oneof<fc.Arbitrary<Literal>[]>(
  fc.record({ type: fc.constant('Boolean'), value: fc.boolean() }),
  fc.record({ type: fc.constant('Integer'), value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }) }),
  fc.record({ type: fc.constant('Double'), value: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ type: fc.constant('Duration'), value: durations }),
  fc.record({ type: fc.constant('Uuid'), value: fc.uuid() }),
  fc.record({ type: fc.constant('IpAddr'), value: fc.ipV4() }),
  fc.record({
    type: fc.constant('String'),
    value: fc.oneof(fc.string({ unit: 'grapheme' }), fc.ipV4(), fc.uuid()),
  }),
  fc.record({ type: fc.constant('Timestamp'), value: moments }),
)
const atoms = fc
  .record({
    kind: fc.constant('atom' as const),
    ident: fc.constantFrom('x', 'timestamp', 'vcpu_id'),
    cmp: fc.constantFrom(...comparisons),
    literal: literals,
  })
  .filter(({ cmp, literal }) => cmp !== '~=' || literal.type === 'String')
const { expr: exprs } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small' },
    atoms,
    fc.record({ kind: fc.constant('not' as const), of: tie('expr') }),
    fc.record({
      kind: fc.constantFrom(...(Object.keys(connectives) as (keyof typeof connectives)[])),
      of: fc.array(tie('expr'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

it('parsing a formatted expression gives the same expression', () => {
  const property = fc.property(exprs, (expr) => {
    const text = printExpr(expr)
    fc.pre(text.length < 4000 && (text.match(/[(!]/g)?.length ?? 0) < 32)
    expect(filterOf(text), text).toEqual(expr)
  })
  fc.assert(property, { numRuns: 500 })
})
