import { expect, it } from 'vitest'
import type { OpShape } from './op.ts'
import { operations } from './operations.ts'
import { array, base64, type Node, object, record, type Schema, string, unlimited } from './schema.ts'
import { ByteCount } from './schemas/scalar.ts'

/** Where a value of the schema may be of any size. */
function unboundedIn(node: Node, path: string): string[] {
  switch (node.kind) {
    case 'ref':
    case 'nullable':
      return unboundedIn(node.inner, path)
    case 'string':
      return Number.isFinite(node.maxLength) ? [] : [path]
    case 'bytes':
    case 'base64':
      return Number.isFinite(node.max) ? [] : [path]
    case 'array':
      return [...(node.max ? [] : [path]), ...unboundedIn(node.item, `${path}[]`)]
    case 'record':
      return [...(node.max ? [] : [path]), ...unboundedIn(node.value, `${path}.*`)]
    case 'object':
      return node.fields.flatMap((field) => unboundedIn(field.node, `${path}.${field.wire}`))
    case 'union':
      return [...node.arms].flatMap(([word, arm]) => unboundedIn(arm, `${path}<${word}>`))
    case 'integer':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'time':
      return []
    // The limit of the body counts.
    case 'json':
      return []
  }
}

const parts = ['params', 'query', 'body'] as const
it.each(Object.entries(operations) as [string, OpShape][])(
  'every field of a request to %s has a limit',
  (name, op) => {
    const found = parts.flatMap((part) => {
      const schema = op[part]
      return schema ? unboundedIn(schema.node, `${name} ${part}`) : []
    })
    expect(found).toEqual([])
  },
)

it('finds fields without a limit at any depth', () => {
  const text = string(unlimited)
  const found = (schema: Schema<never, never> | Schema<unknown, unknown>) => unboundedIn(schema.node, '')
  const most = { count: 1, noun: 'things' }
  expect(found(object({ a: text, b: ByteCount, c: base64(1) }))).toEqual(['.a'])
  expect(found(array(text, most))).toEqual(['[]'])
  expect(found(array(ByteCount, unlimited))).toEqual([''])
  expect(found(record(array(record(ByteCount, unlimited), most), most))).toEqual(['.*[]'])
})

it('texts, lists and maps without a maximum do not compile', () => {
  // @ts-expect-error a text needs a format or a maximum
  string()
  // @ts-expect-error a pattern without a maximum allows any length
  string({ pattern: 'a+' })
  // @ts-expect-error a list needs a maximum
  array(ByteCount)
  // @ts-expect-error a map needs a maximum
  record(ByteCount)
  // @ts-expect-error base64 needs a maximum
  base64()
})
