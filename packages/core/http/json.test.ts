import {
  array,
  boolean,
  bytes,
  defaulted,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  record,
  string,
  time,
  union,
} from '@purlin/contract/schema'
import { Name } from '@purlin/contract/schemas/scalar'
import fc from '#/testing/properties.ts'
import { describe, expect, it } from 'vitest'
import { parseBody } from './json.ts'

const Thing = object({
  name: Name,
  count: integer({ min: 0, max: 65_535, format: 'uint16' }),
  isOn: optional(boolean()),
  tags: defaulted(array(string({ maxLength: 5 }), { count: 2, noun: 'tags' }), () => []),
  source: optional(nullable(union('type', { blank: { blockSize: enumOf([512, 4096]) }, none: {} }))),
  when: optional(time()),
  data: optional(bytes(4)),
  labels: optional(record(integer(), { count: 3, noun: 'labels' })),
  level: optional(enumOf(['low', 'mid', 'high'])),
  pair: optional(enumOf(['on', 'off'])),
})
const errorMessage = (body: string): string => {
  try {
    parseBody(Thing, body)
  } catch (error) {
    expect(error).toMatchObject({ status: 400, code: undefined })
    return (error as Error).message
  }
  throw new Error(`accepted: ${body}`)
}
const prefix = 'unable to parse JSON body: '
const good = '{"name":"web","count":1}'
const withField = (field: string) => `{"name":"web","count":1,${field}}`

describe('accepted texts', () => {
  it('fields by their wire names; unknown keys are ignored, defaults filled in', () => {
    const body = withField(
      '"is_on":true,"isOn":7,"unknown":{"deep":[1]},"source":{"type":"blank","block_size":512}',
    )
    const thing = parseBody(Thing, body)
    expect(thing).toEqual({
      name: 'web',
      count: 1,
      isOn: true,
      tags: [],
      source: { type: 'blank', blockSize: 512 },
    })
  })

  it('null where a value may be missing', () => {
    expect(parseBody(Thing, withField('"is_on":null,"tags":null,"source":null'))).toMatchObject({
      isOn: null,
      tags: [],
      source: null,
    })
  })

  it('times of any offset, bytes as base64, names that users chose', () => {
    const body = withField(
      '"when":"2026-01-02T03:04:05.5+02:00","data":"AP8=","labels":{"snake_case":1,"__proto__":2}',
    )
    const { when, data, labels } = parseBody(Thing, body)
    expect(when?.toISOString()).toBe('2026-01-02T01:04:05.500Z')
    expect(data).toEqual(Uint8Array.from([0, 255]))
    expect(Object.entries(labels ?? {})).toContainEqual(['snake_case', 1])
  })
})

describe('a broken field: its path, the reason, where its value ends', () => {
  it.each([
    ['{"count":1}', 'missing field `name` at line 1 column 11'],
    ['{}', 'missing field `name` at line 1 column 2'],
    ['null', 'invalid type: null, expected an object at line 1 column 4'],
    ['[]', 'invalid type: sequence, expected an object at line 1 column 2'],
    ['"web"', 'invalid type: string "web", expected an object at line 1 column 5'],
    ['{"name":7,"count":1}', 'name: invalid type: integer `7`, expected a string at line 1 column 9'],
    ['{"name":null,"count":1}', 'name: invalid type: null, expected a string at line 1 column 12'],
    ['{"name":"web","count":"1"}', 'count: invalid type: string "1", expected uint16 at line 1 column 25'],
    [
      '{"name":"web","count":1.5}',
      'count: invalid type: floating point `1.5`, expected uint16 at line 1 column 25',
    ],
    ['{"name":"web","count":-1}', 'count: invalid value: integer `-1`, expected uint16 at line 1 column 24'],
    [
      '{"name":"web","count":65536}',
      'count: invalid value: integer `65536`, expected uint16 at line 1 column 27',
    ],
    [
      '{"name":"web","count":true}',
      'count: invalid type: boolean `true`, expected uint16 at line 1 column 26',
    ],
    ['{"name":"web","count":[]}', 'count: invalid type: sequence, expected uint16 at line 1 column 24'],
    ['{"name":"web","count":{}}', 'count: invalid type: map, expected uint16 at line 1 column 24'],
    [
      withField('"labels":{"a":1,"b":2,"c":3,"d":4}'),
      'labels: invalid length 4, expected a map of at most 3 labels at line 1 column 58',
    ],
    [withField('"is_on":1'), 'is_on: invalid type: integer `1`, expected a boolean at line 1 column 33'],
    [
      withField('"tags":["a",7]'),
      'tags[1]: invalid type: integer `7`, expected a string at line 1 column 37',
    ],
    [withField('"tags":"a"'), 'tags: invalid type: string "a", expected a sequence at line 1 column 34'],
    [
      withField('"tags":["a","b","c"]'),
      'tags: invalid length 3, expected a list of at most 2 tags at line 1 column 44',
    ],
    [
      withField('"level":"max"'),
      'level: unknown variant `max`, expected one of `low`, `mid`, `high` at line 1 column 37',
    ],
    [withField('"pair":"?"'), 'pair: unknown variant `?`, expected `on` or `off` at line 1 column 34'],
    [withField('"source":{}'), 'source: missing field `type` at line 1 column 35'],
    [
      withField('"source":{"type":"x"}'),
      'source.type: unknown variant `x`, expected `blank` or `none` at line 1 column 44',
    ],
    [withField('"source":{"type":"blank"}'), 'source: missing field `block_size` at line 1 column 49'],
    [
      withField('"source":{"type":"blank","block_size":513}'),
      'source.block_size: invalid value: integer `513`, expected `512` or `4096` at line 1 column 65',
    ],
    [withField('"when":"yesterday"'), 'when: input contains invalid characters at line 1 column 42'],
    [
      withField('"when":"2026-13-02T03:04:05Z"'),
      'when: input contains invalid characters at line 1 column 53',
    ],
    [
      withField('"data":"AP8"'),
      'data: invalid base64: standard alphabet with padding expected at line 1 column 36',
    ],
    [withField('"data":"AAAAAAA="'), 'data: 5 bytes exceed the maximum of 4 at line 1 column 41'],
    [
      withField('"labels":{"a":"b"}'),
      'labels.a: invalid type: string "b", expected int64 at line 1 column 41',
    ],
  ])('%s', (body, message) => {
    expect(errorMessage(body)).toBe(prefix + message)
  })

  it('lines are counted', () => {
    expect(errorMessage('{\n  "name": "web",\n  "count": "one"\n}')).toBe(
      `${prefix}count: invalid type: string "one", expected uint16 at line 3 column 16`,
    )
    expect(errorMessage('{\n  "name": "web"\n}\n')).toBe(
      `${prefix}missing field \`count\` at line 3 column 1`,
    )
  })

  it('the position is that of the field, not of one with the same name elsewhere', () => {
    const body = '{"unknown":{"count":1},"name":"web","count":null}'
    expect(errorMessage(body)).toBe(`${prefix}count: invalid type: null, expected uint16 at line 1 column 48`)
    const escaped = '{"na\\u006de":"we\\"b","count":1}'
    expect(errorMessage(escaped)).toMatch(
      /^unable to parse JSON body: name: name contains invalid character: """ .* at line 1 column 20$/,
    )
  })

  it.each([
    ['', 'name requires at least one character'],
    ['n'.repeat(64), 'name may contain at most 63 characters'],
    ['Web', 'name must begin with an ASCII lowercase character'],
    ['9web', 'name must begin with an ASCII lowercase character'],
    ['wEb', 'name contains invalid character: "E" (allowed characters are lowercase ASCII, digits, and "-")'],
    [
      'we_b',
      'name contains invalid character: "_" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [
      'we😀b',
      'name contains invalid character: "😀" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    ['web-', 'name cannot end with "-"'],
    ['a1b2c3d4-0000-4000-8000-000000000000', 'name cannot be a UUID to avoid ambiguity with IDs'],
  ])('the name %s', (name, reason) => {
    expect(errorMessage(JSON.stringify({ name, count: 1 }))).toContain(
      `${prefix}name: ${reason} at line 1 column `,
    )
  })

  it.each(['n', 'n'.repeat(63), 'a-b-0', 'a1b2c3d4-0000-4000-8000-000000000000-and-more'])(
    'the name %s is accepted',
    (name) => {
      expect(parseBody(Thing, JSON.stringify({ name, count: 1 }))).toMatchObject({ name })
    },
  )

  it.each(['\u0000', '\ud800', 'a\udc00'])('text that no engine stores: %j', (word) => {
    expect(errorMessage(withField(`"tags":[${JSON.stringify(word)}]`))).toContain(
      'tags[0]: text contains a character that cannot be stored',
    )
  })
})

describe('a key given twice', () => {
  const cases: [body: string, field: string, column: number][] = [
    ['{"name":"a","name":"b","count":1}', 'name', 18],
    ['{"name":"web","count":1,"x":{"y":1,"y":1}}', 'y', 38],
    ['{"name":"a","n\\u0061me":"b","count":1}', 'name', 23],
    ['{"name":"a","x":{"y":"","y" :{"z":""}},"count":1}', 'y', 27],
    ['{"x":"\\"","x":"","name":"a","count":1}', 'x', 13],
    ['{"x":"\\\\","x":"\\\\\\"","name":"a","count":1}', 'x', 13],
  ]
  it.each(cases)('%s is refused', (body, field, column) => {
    expect(errorMessage(body)).toBe(`${prefix}duplicate field \`${field}\` at line 1 column ${column}`)
  })
  it.each(cases)('%s is refused in a long body as well', (body, field, column) => {
    const before = `"long":"${'x'.repeat(5000)}",`
    expect(errorMessage(body.replace('{', `{${before}`))).toBe(
      `${prefix}duplicate field \`${field}\` at line 1 column ${column + before.length}`,
    )
  })
  it('in different objects is fine', () => {
    expect(parseBody(Thing, withField('"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":2}]'))).toMatchObject({
      name: 'web',
    })
  })
})

describe('rejected texts', () => {
  it.each([
    ['', 'EOF while parsing a value at line 1 column 0'],
    [' \n ', 'EOF while parsing a value at line 2 column 1'],
    ['{', 'EOF while parsing an object at line 1 column 1'],
    ['{"name":}', 'expected value at line 1 column 9'],
    ['{"name"}', 'expected `:` at line 1 column 8'],
    ['{"name":"web",}', 'trailing comma at line 1 column 15'],
    ['[1,]', 'trailing comma at line 1 column 4'],
    ['[1 2]', 'expected `,` or `]` at line 1 column 4'],
    ['{"name":"web"\n"count":1}', 'expected `,` or `}` at line 2 column 1'],
    ['{"name":"web', 'EOF while parsing a string at line 1 column 12'],
    [
      '{"name":"w\neb"}',
      'control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0',
    ],
    ['{"name":"w\\x"}', 'invalid escape at line 1 column 11'],
    ['{"name":"w\\u12"}', 'invalid escape at line 1 column 11'],
    [`${good} trailing`, 'trailing characters at line 1 column 26'],
    ["{'name':'web'}", 'key must be a string at line 1 column 2'],
    ['{"name":"web","count":01}', 'expected `,` or `}` at line 1 column 24'],
    ['{"name":"web","count":+1}', 'expected value at line 1 column 23'],
    ['{"name":"web","count":1.}', 'expected `,` or `}` at line 1 column 24'],
    ['<html>', 'expected value at line 1 column 1'],
    ['undefined', 'expected value at line 1 column 1'],
    ['truex', 'trailing characters at line 1 column 5'],
    ['\ufeff{}', 'expected value at line 1 column 1'],
  ])('%j is rejected, with the position', (body, reason) => {
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
    expect(errorMessage(body)).toBe(prefix + reason)
  })

  it('nesting has a limit, beyond which there is an error instead of a stack overflow', () => {
    const deep = (depth: number) => withField(`"unknown":${'['.repeat(depth)}${']'.repeat(depth)}`)
    expect(parseBody(Thing, deep(100))).toMatchObject({ name: 'web' })
    expect(errorMessage(deep(400))).toMatch(/recursion limit exceeded at line 1 column \d+$/)
    expect(errorMessage(deep(100_000))).toMatch(/recursion limit exceeded at line 1 column \d+$/)
    const objects = (depth: number) => withField(`"unknown":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    expect(errorMessage(objects(100_000))).toMatch(/recursion limit exceeded at line 1 column \d+$/)
  })

  it('repeats at most 200 characters of the body', () => {
    const long = 'é'.repeat(100_000)
    const bodies = [
      JSON.stringify(long),
      `{"${long}":1,"${long}":2}`,
      ...['"level"', '"source"', '"name"', '"when"', '"data"', '"count"'].map((key) =>
        withField(`${key}:"${long}"`).replace('"name":"web","count":1,', ''),
      ),
      withField(`"source":{"type":"${long}"}`),
      withField(`"labels":{"${long}":"x"}`),
      withField(`"labels":{"a":"${'\\ud83d\\ude00'.repeat(1000)}"}`),
    ]
    for (const body of bodies) {
      const message = errorMessage(body)
      expect(message.length).toBeLessThan(400)
      expect(message.isWellFormed()).toBe(true)
    }
  })

  it('any text is either parsed or rejected with a position', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 4 }), fc.string(), fc.string({ unit: 'binary' })), (body) => {
        expect(errorMessage(body)).toMatch(/^unable to parse JSON body: [^]+ at line \d+ column \d+$/)
      }),
      { numRuns: 500 },
    )
  })

  it('a broken copy of a good body is never misread', () => {
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(4), fc.string({ maxLength: 2 }), (at, cut, put) => {
        const body = good.slice(0, at) + put + good.slice(at + cut)
        let expected: unknown
        try {
          expected = JSON.parse(body)
        } catch {
          expect(errorMessage(body)).toMatch(/ at line \d+ column \d+$/)
          return
        }
        try {
          expect(parseBody(Thing, body)).toMatchObject(expected as object)
        } catch (error) {
          expect((error as Error).message).toMatch(/ at line \d+ column \d+$/)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('bytes that are not UTF-8', () => {
  const Text = object({ text: string({ maxLength: 50 }) })
  it.each([
    ['in a string', '{"text":"K', 10],
    ['after a character of several bytes', '{"text":"ü\ufffd', 11],
  ])('%s are refused with their position, never replaced', (_, start, column) => {
    const body = Buffer.concat([Buffer.from(start), Buffer.from([0xf6]), Buffer.from('ln"}')])
    const message = `unable to parse JSON body: invalid unicode code point at line 1 column ${column}`
    expect(() => parseBody(Text, body)).toThrow(message)
  })

  it('are refused around a long block of a disk, too', () => {
    const Block = object({ name: string({ maxLength: 50 }), data: bytes(8192) })
    const body = Buffer.from(`{"name":"?","data":"${'A'.repeat(8192)}"}`)
    expect(parseBody(Block, body).name).toBe('?')
    body[9] = 0xf6
    expect(() => parseBody(Block, body)).toThrow('invalid unicode code point at line 1 column 9')
  })
})
