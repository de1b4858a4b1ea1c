/**
 * Schemas are plain descriptions of values: what a value looks like on the wire and in TypeScript.
 * One description serves the parser, the encoder, the OpenAPI document and, by inference, the types
 * of client and handlers. Nothing here validates; core/http/validate.ts does.
 */
import { limits } from './rules/limits.ts'
import { snake } from './wire.ts'

/** Formats of strings. Closed, so that each one is validated and a misspelt one does not compile. */
export type Format = keyof typeof limits.formats
/** Widths of integers. */
type Width = 'uint' | `${'int' | 'uint'}${8 | 16 | 32 | 64}`

/**
 * The most elements of a list or keys of a map. With `isRule` a handler refuses more in its own words, after
 * other checks; the parser then stops at twice as many.
 */
export interface Most {
  count: number
  noun: string
  isRule?: true
}
/** For what only answers contain: it has no maximum. No request may have it, which the contract's test checks. */
export const unlimited = 'unlimited'
type Unlimited = typeof unlimited

export type Node =
  | {
      kind: 'string'
      format?: Format
      maxLength?: number
      isRule?: true
      pattern?: string
      isSecret?: true
      /** A filter of the list of this kind. */
      filterOf?: string
    }
  | {
      kind: 'integer'
      min: number | bigint
      max: number | bigint
      format: Width
      /** The reason for refusing a value that is not between minimum and maximum. */
      outOfRange?: string
      /** The reason for refusing a value above the maximum. */
      tooLarge?: string
      /** The handler refuses a negative value in its own words. */
      negativeIsRule?: true
      /** Handlers see a bigint where a number would not be exact. */
      isExact?: true
    }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'time' }
  | { kind: 'bytes'; max: number }
  | { kind: 'base64'; max: number }
  | { kind: 'json' }
  | { kind: 'enum'; values: readonly (string | number)[] }
  | { kind: 'array'; item: Node; max?: Most }
  | { kind: 'record'; value: Node; max?: Most }
  | { kind: 'nullable'; inner: Node }
  | { kind: 'ref'; name: string; inner: Node }
  | ObjectNode
  | { kind: 'union'; tag: string; arms: ReadonlyMap<string, ObjectNode> }

export interface Field {
  key: string
  wire: string
  node: Node
  optional: boolean
  /** Makes the value used when the key is absent: a new one each time, so that none is shared. */
  fallback?: () => unknown
}
export interface ObjectNode {
  kind: 'object'
  fields: readonly Field[]
  /** True for one arm of a union: an absent key then means null where null is allowed. */
  isArm?: true
  /** True if it has exactly one of its keys. */
  isChoice?: true
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

/**
 * Text: of a format, which is the OpenAPI format and which the server validates, or of a greatest length in
 * characters. With `isRule` a handler refuses longer text in its own words; the parser then stops at twice as much. No
 * command and no request that is shown contains a value that `isSecret`. With `filterOf` it is a filter of a list.
 */
// @__NO_SIDE_EFFECTS__
export const string = (
  opts:
    | { format: Format; pattern?: string }
    | { maxLength: number; isRule?: true; pattern?: string; isSecret?: true; filterOf?: string }
    | Unlimited,
): Schema<string> =>
  of({
    kind: 'string',
    ...(opts === unlimited ? {} : opts),
    ...(typeof opts === 'object' && 'format' in opts ? { maxLength: limits.formats[opts.format] } : {}),
  })

/** Integers of 64 bits with a sign: databases and clients in other languages store them exactly. */
const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/** An integer that JavaScript represents exactly. `format` names its width, e.g. uint16. */
// @__NO_SIDE_EFFECTS__
export const integer = (
  opts: { min?: number; max?: number; format?: Width; outOfRange?: string } = {},
): Schema<number> =>
  of({
    kind: 'integer',
    min: Number.MIN_SAFE_INTEGER,
    max: Number.MAX_SAFE_INTEGER,
    format: 'int64',
    ...opts,
  })

interface Int64 {
  min?: number
  format?: Width
  tooLarge?: string
  negativeIsRule?: true
}
/** An integer up to 2^63 − 1. Handlers see the nearest number, and refuse what is above their own maximum. */
// @__NO_SIDE_EFFECTS__
export const roundedInt64 = (opts: Int64): Schema<number> =>
  of({ kind: 'integer', min: minInt64, max: maxInt64, format: 'int64', ...opts })
/**
 * An integer up to 2^63 − 1 that is stored and answered exactly: a bigint where a number is not exact. A client that
 * reads it with `JSON.parse` sees the nearest number.
 */
// @__NO_SIDE_EFFECTS__
export const exactInt64 = (opts: Int64 = {}): Schema<number | bigint> =>
  of({ kind: 'integer', min: minInt64, max: maxInt64, format: 'int64', ...opts, isExact: true })

/** A number that may have a fraction. */
// @__NO_SIDE_EFFECTS__
export const number = (): Schema<number> => of({ kind: 'number' })
// @__NO_SIDE_EFFECTS__
export const boolean = (): Schema<boolean> => of({ kind: 'boolean' })
/** A point in time: Date in TypeScript, RFC 3339 in UTC on the wire. */
// @__NO_SIDE_EFFECTS__
export const time = (): Schema<Date> => of({ kind: 'time' })
/** Bytes: base64 with padding (RFC 4648, section 4) on the wire; `max` counts decoded bytes. */
// @__NO_SIDE_EFFECTS__
export const bytes = (max: number): Schema<Uint8Array> => of({ kind: 'bytes', max })
/**
 * Base64 that may be long: handlers see its bytes, or null if it is invalid, and refuse both that and more than
 * `max` decoded bytes in their own words. The parser stops at twice as many.
 */
// @__NO_SIDE_EFFECTS__
export const base64 = (max: number): Schema<Uint8Array | null, string> => of({ kind: 'base64', max })
/** Bytes that may be too many for memory: handlers read them while they arrive. */
// @__NO_SIDE_EFFECTS__
export const byteStream = (max: number): Schema<AsyncIterable<Uint8Array>, Uint8Array<ArrayBuffer>> =>
  of({ kind: 'bytes', max })
/** Any JSON, whose keys are never translated. Its integers are exact. */
// @__NO_SIDE_EFFECTS__
export const anyJson = (): Schema<unknown> => of({ kind: 'json' })
/** One of a fixed set of strings or numbers. */
// @__NO_SIDE_EFFECTS__
export const enumOf = <const V extends readonly (string | number)[]>(values: V): Schema<V[number]> =>
  of({ kind: 'enum', values })
// @__NO_SIDE_EFFECTS__
export const array = <O, I>(item: Schema<O, I>, max: Most | Unlimited): Schema<O[], I[]> =>
  of({ kind: 'array', item: item.node, ...(max === unlimited ? {} : { max }) })
/** An object whose keys users chose; they are never translated. */
// @__NO_SIDE_EFFECTS__
export const record = <O, I>(
  value: Schema<O, I>,
  max: Most | Unlimited,
): Schema<Record<string, O>, Record<string, I>> =>
  of({ kind: 'record', value: value.node, ...(max === unlimited ? {} : { max }) })
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
/** Names a schema: the OpenAPI document defines it once, under this name, and refers to it elsewhere. */
// @__NO_SIDE_EFFECTS__
export const ref = <O, I>(name: string, inner: Schema<O, I>): Schema<O, I> =>
  of({ kind: 'ref', name, inner: inner.node })

// @__NO_SIDE_EFFECTS__
export const object = <S extends Shape>(shape: S): Schema<OutShape<S>, InShape<S>> =>
  of({ kind: 'object', fields: Object.entries(shape).map(([key, schema]) => field(key, schema)) })

/** An object whose keys are the same on the wire, as other standards spell them. */
// @__NO_SIDE_EFFECTS__
export const verbatim = <S extends Shape>(shape: S): Schema<OutShape<S>, InShape<S>> =>
  of({
    kind: 'object',
    fields: Object.entries(shape).map(([key, schema]) => ({ ...field(key, schema), wire: key })),
  })

/** An object with exactly one of some keys, in answers. */
// @__NO_SIDE_EFFECTS__
export const choice = <S extends Record<string, Optional<unknown>>>(
  shape: S,
): Schema<OutShape<S>, InShape<S>> =>
  of({
    kind: 'object',
    isChoice: true,
    fields: Object.entries(shape).map(([key, schema]) => field(key, schema)),
  })

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

/** One of several objects, discriminated by the value of `tag`. */
// @__NO_SIDE_EFFECTS__
export function union<const T extends string, const A extends Arms>(
  tag: T,
  arms: A,
): Schema<OutUnion<T, A>, InUnion<T, A>> {
  const list = Object.entries(arms).map(([value, shape]) => {
    const tagged: Field = {
      key: tag,
      wire: snake(tag),
      node: { kind: 'enum', values: [value] },
      optional: false,
    }
    const fields = [tagged, ...Object.entries(shape).map(([key, schema]) => field(key, schema))]
    return [value, { kind: 'object', fields, isArm: true }] as const
  })
  return of({ kind: 'union', tag, arms: new Map<string, ObjectNode>(list) })
}

/** The node that a chain of refs names. */
export function bare(node: Node): Exclude<Node, { kind: 'ref' }> {
  let at = node
  while (at.kind === 'ref') at = at.inner
  return at
}
