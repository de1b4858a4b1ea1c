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
  return encodeNode(schema.node, value)
}
/** Value of a request → wire JSON value. */
export function encodeIn<I>(schema: Schema<unknown, I>, value: NoInfer<I>): unknown {
  return encodeNode(schema.node, value)
}
/**
 * Wire JSON value from a trusted server → value. Unknown keys are dropped and times become Dates. A field with a
 * default gets it if the server sends nothing or null, as the types promise.
 */
export function decode<O>(schema: Schema<O, unknown>, wire: unknown): O {
  return decodeNode(schema.node, wire) as O
}

type Obj = Record<string, unknown>

function encodeNode(node: Node, value: unknown): unknown {
  if (value === null || value === undefined) return value
  switch (node.kind) {
    case 'ref':
    case 'nullable':
      return encodeNode(node.inner, value)
    case 'integer':
      return typeof value === 'bigint' ? jsonOf(value) : value
    case 'time':
      return (value as Date).toISOString()
    case 'bytes':
      return toBase64(value as Uint8Array)
    case 'array':
      return (value as unknown[]).map((item) => encodeNode(node.item, item))
    case 'record':
      return mapValues(value as Obj, (item) => encodeNode(node.value, item))
    case 'object':
      return encodeObject(node, value as Obj)
    case 'union': {
      const arm = node.arms.get(String((value as Obj)[node.tag]))
      return arm ? encodeObject(arm, value as Obj) : value
    }
    default:
      return value
  }
}

/** A value that JSON writes with all digits; a browser that cannot write it (it has the preview) rounds. */
const jsonOf = (value: bigint): unknown =>
  platform.JSON.rawJSON ? platform.JSON.rawJSON(String(value)) : Number(value)

function encodeObject({ fields }: ObjectNode, value: Obj): Obj {
  const out: Obj = {}
  for (const { key, wire, node } of fields) {
    const item = value[key]
    if (item !== undefined) out[wire] = encodeNode(node, item)
  }
  return out
}

function decodeNode(node: Node, wire: unknown): unknown {
  if (wire === null || wire === undefined) return wire
  switch (node.kind) {
    case 'ref':
    case 'nullable':
      return decodeNode(node.inner, wire)
    case 'time':
      return new Date(wire as string)
    case 'bytes':
      return fromBase64(wire as string)
    case 'array':
      return (wire as unknown[]).map((item) => decodeNode(node.item, item))
    case 'record':
      return mapValues(wire as Obj, (item) => decodeNode(node.value, item))
    case 'object':
      return decodeObject(node, wire as Obj)
    case 'union': {
      const arm = node.arms.get(String((wire as Obj)[snake(node.tag)]))
      return arm ? decodeObject(arm, wire as Obj) : wire
    }
    default:
      return wire
  }
}

function decodeObject(node: ObjectNode, wire: Obj): Obj {
  const out: Obj = {}
  for (const f of node.fields) {
    const item = wire[f.wire]
    if (f.fallback && (item === undefined || item === null)) out[f.key] = f.fallback()
    else if (item !== undefined) out[f.key] = decodeNode(f.node, item)
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
