import { describe, expect, it } from 'vitest'
import type { OpShape } from './op.ts'
import { operations } from './operations.ts'
import { bare, type Field, type Node, type ObjectNode } from './schema.ts'
import { decode, encode } from './wire.ts'

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

const answering = Object.entries<OpShape>(operations).filter(([, op]) => op.response)

it('encoding an object omits undefined and keeps null', () => {
  const value = { id: 'a', name: undefined, bootDiskId: null, timeCreated: new Date(0) } as never
  expect(Object.entries(encode(operations.instanceView.response, value) as object)).toEqual([
    ['id', 'a'],
    ['time_created', '1970-01-01T00:00:00.000Z'],
    ['boot_disk_id', null],
  ])
})

describe('an answer without a field that has a default', () => {
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
