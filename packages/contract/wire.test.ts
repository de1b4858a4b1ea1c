import { describe, expect, it, vi } from 'vitest'
import type { OpShape } from './op.ts'
import { operations } from './operations.ts'
import { bare, type Field, type Node, type ObjectNode } from './schema.ts'
import { decode, encode, isoTime } from './wire.ts'

type Absent = 'left out' | 'null'
/** A wire value of the schema in which every field that has a default is absent; `arm` chooses in unions. */
function sparse(node: Node, absent: Absent, arm: number): unknown {
  const inner = (one: Node) => sparse(one, absent, arm)
  const at = bare(node)
  switch (at.kind) {
    case 'nullable':
      return inner(at.inner)
    case 'array':
      return [inner(at.item)]
    case 'record':
      return { key: inner(at.value) }
    case 'object':
      return sparseObject(at, absent, arm)
    case 'union':
      return sparseObject([...at.arms.values()].at(arm % at.arms.size)!, absent, arm)
    case 'enum':
      return at.values[0]
    case 'time':
      return '2026-01-01T00:00:00Z'
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return 1
    default:
      return ''
  }
}
const sparseObject = ({ fields }: ObjectNode, absent: Absent, arm: number) =>
  Object.fromEntries(
    fields
      .filter((field) => !field.fallback || absent === 'null')
      .map(({ wire, node, fallback }) => [wire, fallback ? null : sparse(node, absent, arm)]),
  )

/** Every field that has a default, with the value that `decode` gave it. */
function defaults(node: Node, value: unknown): { field: Field; value: unknown }[] {
  const at = bare(node)
  if (value === null || value === undefined) return []
  switch (at.kind) {
    case 'nullable':
      return defaults(at.inner, value)
    case 'array':
      return (value as unknown[]).flatMap((item) => defaults(at.item, item))
    case 'record':
      return Object.values(value).flatMap((item) => defaults(at.value, item))
    case 'object':
      return at.fields.flatMap((field) => {
        const item = (value as Record<string, unknown>)[field.key]
        return [...(field.fallback ? [{ field, value: item }] : []), ...defaults(field.node, item)]
      })
    case 'union': {
      const arm = at.arms.get(String((value as Record<string, unknown>)[at.tag]))
      return arm ? defaults(arm, value) : []
    }
    default:
      return []
  }
}

describe('a time on the wire', () => {
  const day = 86_400_000
  const edges = [
    0,
    -1,
    1,
    day - 1,
    day,
    -day,
    951_782_399_999,
    4_102_444_800_000,
    -62_167_219_200_001,
    8.64e15,
  ]
  const spread = Array.from({ length: 2000 }, (_, i) => Math.trunc(Math.sin(i) * 10 ** (i % 16)))
  it('is as ISO 8601 has it, whichever was written before', () => {
    for (const ms of [...edges, ...spread])
      expect(isoTime(new Date(ms)), String(ms)).toBe(new Date(ms).toISOString())
  })
  it('that is none is an error', () => {
    expect(() => isoTime(new Date(NaN))).toThrow(RangeError)
  })
})

const answering = Object.entries<OpShape>(operations).filter(([, op]) => op.response)

describe('a compiled encoder', async () => {
  // Modules of their own, in which objects are encoded that way.
  vi.resetModules()
  const compiled = await import('./wire.ts')
  const { encodeCompiled } = await import('./compiled-encoder.ts')
  compiled.encodeObjectsBy(encodeCompiled)

  it.each(answering)('%s: encodes as the one in a browser', (_, { response }) => {
    const schema = response!
    for (const absent of ['left out', 'null'] as const)
      for (let arm = 0; arm < 32; arm++) {
        const value = decode(schema, sparse(schema.node, absent, arm))
        expect(JSON.stringify(compiled.encode(schema, value))).toBe(JSON.stringify(encode(schema, value)))
      }
  })

  it('leaves out what is undefined, and takes null as it is', () => {
    const value = { id: 'a', name: undefined, bootDiskId: null, timeCreated: new Date(0) } as never
    for (const one of [compiled.encode, encode]) {
      const wire = one(operations.instanceView.response, value) as object
      expect(Object.entries(wire)).toEqual([
        ['id', 'a'],
        ['time_created', '1970-01-01T00:00:00.000Z'],
        ['boot_disk_id', null],
      ])
    }
  })
})

describe('an answer that lacks what has a default', () => {
  it.each(answering)('%s: is read with the defaults', (_, { response }) => {
    const schema = response!
    for (const absent of ['left out', 'null'] as const)
      for (let arm = 0; arm < 32; arm++)
        for (const { field, value } of defaults(
          schema.node,
          decode(schema, sparse(schema.node, absent, arm)),
        ))
          expect(value, field.key).toEqual(field.fallback?.())
  })

  it('an interface without transit IPs has none', () => {
    const { response } = operations.instanceNetworkInterfaceView
    expect(decode(response, { name: 'net0' })).toEqual({ name: 'net0', transitIps: [] })
  })
})
