/**
 * Translates between the wire's snake_case and the camelCase of TypeScript, by the schema: keys that users chose
 * (of records) stay as they are.
 */
import type { Node, ObjectNode, Schema } from './schema.ts'

/** `timeCreated` → `time_created`. */
// @__NO_SIDE_EFFECTS__
export const snake = (key: string): string =>
  isLowerCase.test(key) ? key : key.replace(/[A-Z0-9]+/g, (run, at: number) => snakeRun(run, at))
const isLowerCase = /^[a-z_]*$/
// A digit belongs to the word before it (ipv4Block → ipv4_block); a capital begins a word.
function snakeRun(run: string, at: number): string {
  return run.replace(/[A-Z]/g, (letter, i: number) => (at + i === 0 ? '' : '_') + letter.toLowerCase())
}

/** Value → wire JSON value. Absent optional keys are omitted; nothing is validated. */
export function encode<O>(schema: Schema<O, never> | Schema<O, unknown>, value: NoInfer<O>): unknown {
  return encodeNode(schema.node.kind, schema.node, value)
}
/** Value of a request → wire JSON value. */
export function encodeIn<I>(schema: Schema<unknown, I>, value: NoInfer<I>): unknown {
  return encodeNode(schema.node.kind, schema.node, value)
}
/**
 * Wire JSON value from a trusted server → value. Unknown keys are dropped and times become Dates. A field with a
 * default gets it if the server sends nothing or null, as the types promise.
 */
export function decode<O>(schema: Schema<O, unknown>, wire: unknown): O {
  return decodeNode(schema.node.kind, schema.node, wire) as O
}

type Obj = Record<string, unknown>

/** Of each kind of node, its values where they are not passed on as they are. */
interface Values {
  time: Date
  bytes: Uint8Array
  array: readonly unknown[]
  record: Obj
  object: Obj
  union: Obj
}
/** The same as JSON. */
interface WireValues extends Omit<Values, 'time' | 'bytes'> {
  time: string
  bytes: string
}
/** A node with a value of it: a switch over the kind knows the types of both. */
export type NodeWith<V extends object = Values> = {
  [K in Node['kind']]: [
    kind: K,
    node: Extract<Node, { kind: K }>,
    value: (K extends keyof V ? V[K] : unknown) | null | undefined,
  ]
}[Node['kind']]
/** A node with any value. That it is one of the node is not checked, because values come from typed code and ours. */
export type Unchecked<T> = (kind: Node['kind'], node: Node, value: unknown) => T

const encodeOne: (...one: NodeWith) => unknown = (kind, node, value) => {
  if (value === null || value === undefined) return value
  switch (kind) {
    case 'ref':
    case 'nullable':
      return encodeNode(node.inner.kind, node.inner, value)
    case 'integer':
      return typeof value === 'bigint' ? jsonOf(value) : value
    case 'time':
      return value.toISOString()
    case 'bytes':
      return toBase64(value)
    case 'array':
      return value.map((item) => encodeNode(node.item.kind, node.item, item))
    case 'record':
      return mapValues(value, (item) => encodeNode(node.value.kind, node.value, item))
    case 'object':
      return encodeObject(node, value)
    case 'union': {
      const arm = node.arms.get(String(value[node.tag]))
      return arm ? encodeObject(arm, value) : value
    }
    default:
      return value
  }
}
const encodeNode = encodeOne as Unchecked<unknown>

/** A value that JSON writes with all digits; a browser that cannot write it (it has the preview) rounds. */
const jsonOf = (value: bigint): unknown =>
  platform.JSON.rawJSON ? platform.JSON.rawJSON(String(value)) : Number(value)

/** JSON text of a value on the wire, in which a bigint keeps all digits. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? jsonOf(item) : item), indent)

function encodeObject({ fields }: ObjectNode, value: Obj): Obj {
  const out: Obj = {}
  for (const { key, wire, node } of fields) {
    const item = value[key]
    if (item !== undefined) out[wire] = encodeNode(node.kind, node, item)
  }
  return out
}

const decodeOne: (...one: NodeWith<WireValues>) => unknown = (kind, node, wire) => {
  if (wire === null || wire === undefined) return wire
  switch (kind) {
    case 'ref':
    case 'nullable':
      return decodeNode(node.inner.kind, node.inner, wire)
    case 'time':
      return new Date(wire)
    case 'bytes':
      return fromBase64(wire)
    case 'array':
      return wire.map((item) => decodeNode(node.item.kind, node.item, item))
    case 'record':
      return mapValues(wire, (item) => decodeNode(node.value.kind, node.value, item))
    case 'object':
      return decodeObject(node, wire)
    case 'union': {
      const arm = node.arms.get(String(wire[snake(node.tag)]))
      return arm ? decodeObject(arm, wire) : wire
    }
    default:
      return wire
  }
}
const decodeNode = decodeOne as Unchecked<unknown>

function decodeObject(node: ObjectNode, wire: Obj): Obj {
  const out: Obj = {}
  for (const f of node.fields) {
    const item = wire[f.wire]
    if (f.fallback && (item === undefined || item === null)) out[f.key] = f.fallback()
    else if (item !== undefined) out[f.key] = decodeNode(f.node.kind, f.node, item)
  }
  return out
}

const mapValues = (value: Obj, fn: (item: unknown) => unknown): Obj =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fn(item)]))

interface Platform {
  btoa(binary: string): string
  atob(text: string): string
  JSON: { rawJSON?: (text: string) => unknown }
  // Much faster than the two above, which matters for uploads of whole disks.
  Buffer?: {
    from(text: string, encoding: 'base64'): Uint8Array
    from(data: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64'): string }
  }
}
// Every supported runtime has these, but this package compiles without the types of any platform.
const platform = globalThis as unknown as Platform

/** Standard base64 with padding (RFC 4648, section 4). */
export function toBase64(data: Uint8Array & { toBase64?: () => string }): string {
  if (platform.Buffer)
    return platform.Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')
  // Where a browser has it, it is seventy times as fast as the loop below.
  if (data.toBase64) return data.toBase64()
  let binary = ''
  const step = 0x2000
  for (let at = 0; at < data.length; at += step)
    binary += Reflect.apply(String.fromCharCode, null, data.subarray(at, at + step)) as string
  return platform.btoa(binary)
}
/** Throws for anything but standard base64 with padding. */
export function fromBase64(base64: string): Uint8Array {
  const length = decodedLength(base64)
  if (platform.Buffer) {
    const data = platform.Buffer.from(base64, 'base64')
    // Node skips characters that are not base64: the result is then too short.
    if (data.length !== length) throw new Error('invalid base64')
    return new Uint8Array(data.buffer, data.byteOffset, length)
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw new Error('invalid base64')
  const binary = platform.atob(base64)
  const data = new Uint8Array(length)
  for (let i = 0; i < length; i++) data[i] = binary.charCodeAt(i)
  return data
}

/** The number of bytes that a base64 text encodes. Throws for errors that decoding does not detect. */
export function decodedLength(base64: string): number {
  // Node also decodes the URL alphabet.
  if (base64.length % 4 !== 0 || base64.includes('-') || base64.includes('_'))
    throw new Error('invalid base64')
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}
