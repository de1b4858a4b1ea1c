/** Encoders of objects that are compiled: names that are written out are found at once, those of a loop are looked up each time. */
import type { Node, ObjectNode } from './schema.ts'
import { encodeNode, type EncodeObject } from './wire.ts'

type Encoder = (value: Record<string, unknown>) => Record<string, unknown>

const encoders = new WeakMap<ObjectNode, Encoder>()

/** Pages may not compile code; a server saves a tenth of its time for a list. */
export const encodeCompiled: EncodeObject = (node, value) => {
  let encoder = encoders.get(node)
  if (!encoder) {
    encoder = compile(node)
    encoders.set(node, encoder)
  }
  return encoder(value)
}

function compile({ fields }: ObjectNode): Encoder {
  const lines = fields.map(({ key, wire, node }, i) => {
    const item = `value[${JSON.stringify(key)}]`
    const encoded = isSentAsItIs(node) ? item : `encode(fields[${i}].node, ${item})`
    return `if (${item} !== undefined) out[${JSON.stringify(wire)}] = ${encoded}`
  })
  const body = `return (value) => { const out = {}; ${lines.join('; ')}; return out }`
  // oxlint-disable-next-line no-implied-eval -- of quoted names of the contract only
  const make = new Function('encode', 'fields', body) as (encode: unknown, fields: unknown) => Encoder
  return make(encodeNode, fields)
}

function isSentAsItIs(node: Node): boolean {
  switch (node.kind) {
    case 'ref':
    case 'nullable':
      return isSentAsItIs(node.inner)
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'enum':
      return true
    default:
      return false
  }
}
