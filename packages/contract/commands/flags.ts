/** The flags of an operation's command: one for each field of its path, query and body. */
import type { OpShape } from '../op.ts'
import { bare, type Field, type Node, type ObjectNode } from '../schema.ts'
import { flagWord } from './words.ts'

export const parts = ['params', 'query', 'body'] as const
export type Part = (typeof parts)[number]

export interface Flag {
  /** Without its dashes: `boot-disk`. A field of an object in the body is `disk-source.type`. */
  name: string
  part: Part
  /** The names on the wire, from the outside in; none for a body that is no object. */
  path: readonly string[]
  /** Its value, or of a list one item. */
  node: Exclude<Node, { kind: 'ref' | 'nullable' }>
  isRequired: boolean
  isNullable: boolean
  isList: boolean
  /** A count of bytes: `4GiB` is one. */
  isByteCount: boolean
  /** The field that it gives, and its owner in `about`; null for a body that is no object. */
  field: Field | null
  owner: string
}

/** The fields of an object, or those of all arms of a union: an arm needs only some of them. */
export function fieldsOf(node: Node): readonly Field[] {
  const inner = node.kind === 'nullable' ? bare(node.inner) : bare(node)
  if (inner.kind === 'object') return inner.fields
  return inner.kind === 'union' ? fieldsOfArms([...inner.arms.values()], inner.tag) : []
}

function fieldsOfArms(arms: readonly ObjectNode[], tag: string): readonly Field[] {
  const found = new Map<string, Field>()
  for (const field of arms.flatMap(({ fields }) => fields)) {
    const { key, node } = field
    const before = found.get(key)
    const merged = before ? merge(before.node, node) : node
    found.set(key, { ...field, node: merged, optional: key !== tag })
  }
  return [...found.values()]
}

/** A node for the values of two: arms may have the same field with different values. */
function merge(one: Node, two: Node): Node {
  if (one === two) return one
  const [a, b] = [bare(one), bare(two)]
  if (a.kind === 'enum' && b.kind === 'enum') return { kind: 'enum', values: [...a.values, ...b.values] }
  return a.kind === b.kind && a.kind !== 'object' && a.kind !== 'union' ? one : { kind: 'json' }
}

/** True for a body that flags can give. Bytes are given as a file. */
const hasFlags = (node: Node): boolean => bare(node).kind !== 'bytes'

/** The flags of an operation, those of its path first. */
export function flagsOf(op: OpShape, name: string): Flag[] {
  return parts.flatMap((part) => {
    const schema = op[part]
    if (!schema || !hasFlags(schema.node)) return []
    const owner = schema.node.kind === 'ref' ? schema.node.name : name
    const fields = fieldsOf(schema.node)
    if (fields.length === 0) return bare(schema.node).kind === 'object' ? [] : [wholeBody(schema.node, owner)]
    return fields.flatMap((field) => {
      const flag = flagOf(part, field, owner)
      return part === 'body' && !flag.isList ? [flag, ...nested(flag, field)] : [flag]
    })
  })
}

function flagOf(part: Part, field: Field, owner: string): Flag {
  const { key, wire, node, optional, fallback } = field
  return {
    name: flagWord(key),
    part,
    path: [wire],
    ...valueOf(node),
    isRequired: !optional && !fallback,
    field,
    owner,
  }
}

/** The flags for the fields of an object in the body. Those of objects in it have no flags in turn. */
function nested(outer: Flag, { key, node }: Field): Flag[] {
  const owner = ownerOf(node) ?? `${outer.owner}.${key}`
  return fieldsOf(node).map((field) => ({
    ...flagOf('body', field, owner),
    name: `${outer.name}.${flagWord(field.key)}`,
    path: [...outer.path, field.wire],
    isRequired: false,
  }))
}

const ownerOf = (node: Node): string | undefined =>
  node.kind === 'ref' ? node.name : node.kind === 'nullable' ? ownerOf(node.inner) : undefined

const wholeBody = (node: Node, owner: string): Flag => ({
  name: 'body',
  part: 'body',
  path: [],
  ...valueOf(node),
  isRequired: true,
  field: null,
  owner,
})

type Value = Pick<Flag, 'node' | 'isNullable' | 'isList' | 'isByteCount'>
function valueOf(node: Node): Value {
  switch (node.kind) {
    case 'ref':
      return { ...valueOf(node.inner), ...(node.name === 'ByteCount' ? { isByteCount: true } : {}) }
    case 'nullable':
      return { ...valueOf(node.inner), isNullable: true }
    case 'array':
      return { ...valueOf(node.item), isNullable: false, isList: true }
    default:
      return { node, isNullable: false, isList: false, isByteCount: false }
  }
}
