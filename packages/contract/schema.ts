/**
 * Schemas are plain descriptions of values: what a value looks like on the wire and in TypeScript.
 * One description serves the parser, the encoder, the OpenAPI document and, by inference, the types
 * of client and handlers. Nothing here validates; `validate.ts` does, in core only.
 */
import { snake } from './wire.ts'

export type Node =
  | { kind: 'string'; format?: string; maxLength?: number; pattern?: string }
  | { kind: 'integer'; min: number; max: number; format: string; outOfRange?: string }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'time' }
  | { kind: 'bytes'; max: number }
  | { kind: 'base64' }
  | { kind: 'words'; words: readonly (string | number)[] }
  | { kind: 'array'; item: Node; max?: { count: number; noun: string } }
  | { kind: 'map'; value: Node }
  | { kind: 'nullable'; inner: Node }
  | { kind: 'named'; name: string; inner: Node }
  | ObjectNode
  | { kind: 'union'; tag: string; arms: ReadonlyMap<string, ObjectNode> }

export interface Field {
  key: string
  wire: string
  node: Node
  optional: boolean
  /** Value used when the key is absent. Never shared: scalars, or made anew by the function. */
  fallback?: () => unknown
}
export interface ObjectNode {
  kind: 'object'
  fields: readonly Field[]
}

/**
 * A described value. `Out` is what a parser returns and a handler sees; `In` is what a client may
 * send, where keys with a default may be left out.
 */
export interface Schema<Out, In = Out> {
  readonly node: Node
  readonly types?: { out: Out; in: In }
}
/** A key that may be absent, on the way in and on the way out. */
export interface Optional<Out, In = Out> extends Schema<Out, In> {
  readonly optional: true
}
/** A key that clients may leave out and handlers always see. */
export interface Defaulted<Out, In = Out> extends Schema<Out, In> {
  readonly fallback: () => unknown
}

export type Out<S> = S extends Schema<infer O, infer _I> ? O : never
export type In<S> = S extends Schema<infer _O, infer I> ? I : never

type Shape = Record<string, Schema<unknown, unknown>>
type Flat<T> = { [K in keyof T]: T[K] }
type OutShape<S extends Shape> = Flat<
  { [K in keyof S as S[K] extends Optional<unknown, unknown> ? never : K]: Out<S[K]> } & {
    [K in keyof S as S[K] extends Optional<unknown, unknown> ? K : never]?: Out<S[K]> | undefined
  }
>
type Loose<S> =
  S extends Optional<unknown, unknown> ? true : S extends Defaulted<unknown, unknown> ? true : false
type InShape<S extends Shape> = Flat<
  { [K in keyof S as Loose<S[K]> extends true ? never : K]: In<S[K]> } & {
    [K in keyof S as Loose<S[K]> extends true ? K : never]?: In<S[K]> | undefined
  }
>

// @__NO_SIDE_EFFECTS__
const of = <O, I = O>(node: Node): Schema<O, I> => ({ node })

/** Text. `format` is the OpenAPI format, and names what validate.ts holds it to. */
// @__NO_SIDE_EFFECTS__
export const text = (opts: Omit<Extract<Node, { kind: 'string' }>, 'kind'> = {}): Schema<string> =>
  of({ kind: 'string', ...opts })

/** A whole number within what JavaScript holds exactly. `format` names its width, e.g. uint16. */
// @__NO_SIDE_EFFECTS__
export const integer = (
  opts: { min?: number; max?: number; format?: string; outOfRange?: string } = {},
): Schema<number> =>
  of({
    kind: 'integer',
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    format: 'int64',
    ...opts,
  })

/** A number that may have a fraction. */
// @__NO_SIDE_EFFECTS__
export const number = (): Schema<number> => of({ kind: 'number' })
// @__NO_SIDE_EFFECTS__
export const boolean = (): Schema<boolean> => of({ kind: 'boolean' })
/** A moment: Date in TypeScript, RFC 3339 in UTC on the wire. */
// @__NO_SIDE_EFFECTS__
export const time = (): Schema<Date> => of({ kind: 'time' })
/** Bytes: base64 with padding (RFC 4648, section 4) on the wire; `max` counts decoded bytes. */
// @__NO_SIDE_EFFECTS__
export const bytes = (max: number): Schema<Uint8Array> => of({ kind: 'bytes', max })
/** Base64 that may be long: handlers see its bytes, or null if it is none and they must say so in their own words. */
// @__NO_SIDE_EFFECTS__
export const base64 = (): Schema<Uint8Array | null, string> => of({ kind: 'base64' })
/** One of a fixed set of words (or numbers). */
// @__NO_SIDE_EFFECTS__
export const words = <const W extends readonly (string | number)[]>(list: W): Schema<W[number]> =>
  of({ kind: 'words', words: list })
// @__NO_SIDE_EFFECTS__
export const array = <O, I>(item: Schema<O, I>, max?: { count: number; noun: string }): Schema<O[], I[]> =>
  of({ kind: 'array', item: item.node, ...(max ? { max } : {}) })
/** Keys that users chose; they are never translated. */
// @__NO_SIDE_EFFECTS__
export const map = <O, I>(value: Schema<O, I>): Schema<Record<string, O>, Record<string, I>> =>
  of({ kind: 'map', value: value.node })
// @__NO_SIDE_EFFECTS__
export const nullable = <O, I>(inner: Schema<O, I>): Schema<O | null, I | null> =>
  of({ kind: 'nullable', inner: inner.node })
// @__NO_SIDE_EFFECTS__
export const optional = <O, I>(inner: Schema<O, I>): Optional<O, I> => ({ node: inner.node, optional: true })
/** Absent and null mean the same; the handler sees `fallback`'s value. */
// @__NO_SIDE_EFFECTS__
export const defaulted = <O, I>(inner: Schema<O, I>, fallback: () => NoInfer<O>): Defaulted<O, I> => ({
  node: inner.node,
  fallback,
})
/** Gives a schema its name in the OpenAPI document. */
// @__NO_SIDE_EFFECTS__
export const named = <O, I>(name: string, inner: Schema<O, I>): Schema<O, I> =>
  of({ kind: 'named', name, inner: inner.node })

// @__NO_SIDE_EFFECTS__
export const object = <S extends Shape>(shape: S): Schema<OutShape<S>, InShape<S>> =>
  of({ kind: 'object', fields: Object.entries(shape).map(([key, schema]) => field(key, schema)) })

function field(
  key: string,
  schema: Schema<unknown, unknown> & { optional?: true; fallback?: () => unknown },
): Field {
  const { node, optional: isOptional, fallback } = schema
  return { key, wire: snake(key), node, optional: isOptional ?? false, ...(fallback ? { fallback } : {}) }
}

type Arms = Record<string, Shape>
type OutUnion<T extends string, A extends Arms> = {
  [K in keyof A]: Flat<{ [P in T]: K } & OutShape<A[K]>>
}[keyof A]
type InUnion<T extends string, A extends Arms> = {
  [K in keyof A]: Flat<{ [P in T]: K } & InShape<A[K]>>
}[keyof A]

/** One of several objects, told apart by the word under `tag`. */
// @__NO_SIDE_EFFECTS__
export function union<const T extends string, const A extends Arms>(
  tag: T,
  arms: A,
): Schema<OutUnion<T, A>, InUnion<T, A>> {
  const list = Object.entries(arms).map(([word, shape]) => {
    const tagged: Field = {
      key: tag,
      wire: snake(tag),
      node: { kind: 'words', words: [word] },
      optional: false,
    }
    const fields = [tagged, ...Object.entries(shape).map(([key, schema]) => field(key, schema))]
    return [word, { kind: 'object', fields }] as const
  })
  return of({ kind: 'union', tag, arms: new Map<string, ObjectNode>(list) })
}

/** The node behind its names. */
export function bare(node: Node): Exclude<Node, { kind: 'named' }> {
  let at = node
  while (at.kind === 'named') at = at.inner
  return at
}
