/** JSON of large answers, made in pieces: other work can run between them. */
import { bare, type Node, type ObjectNode, type Schema } from '@purlin/contract/schema'
import { encode, type NodeWith, type Unchecked } from '@purlin/contract/wire'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import { StoredJson } from '#/db/stored-json.ts'

// Numbers and times are written at some 100 MB/s.
const charactersPerYield = 256 * 1024
const elementsPerPiece = 2000

/** The JSON of a value by its schema. Yields to other work after each 256 KiB. */
export async function encodeInSlices<O>(schema: Schema<O, unknown>, value: O): Promise<string> {
  const pieces: string[] = []
  let since = 0
  for (const piece of piecesOf(schema.node, value)) {
    pieces.push(piece)
    since += piece.length
    if (since < charactersPerYield) continue
    since = 0
    await yieldToEventLoop()
  }
  return pieces.join('')
}

type Obj = Record<string, unknown>

function* piecesOf(node: Node, value: unknown): Generator<string> {
  const at = bare(node)
  const whole = wholeOf(at, value)
  if (whole !== undefined) yield whole
  else if (at.kind === 'nullable') yield* piecesOf(at.inner, value)
  else yield* piecesOfParts(at.kind, at, value)
}

const piecesOfOne: (...one: NodeWith) => Generator<string> = function* (kind, node, value) {
  if (value === null || value === undefined) return
  if (kind === 'array') yield* piecesOfArray(node.item, value)
  else if (kind === 'object') yield* piecesOfObject(node, value)
  else if (kind === 'record') yield* piecesOfRecord(node.value, value)
  else if (kind === 'union') yield* piecesOfUnion(node, value)
}
const piecesOfParts = piecesOfOne as Unchecked<Generator<string>>

/** The JSON of a value that has no parts, or is stored as JSON; undefined for another. */
function wholeOf(node: Node, value: unknown): string | undefined {
  if (value === null || value === undefined) return 'null'
  if (value instanceof StoredJson) return value.text
  return isFlat(node) ? JSON.stringify(encode({ node }, value)) : undefined
}

const withParts: ReadonlySet<Node['kind']> = new Set(['array', 'object', 'record', 'union'])

/** True if all values of a node have about the same size. */
const isFlat = (node: Node): boolean => {
  const at = bare(node)
  return at.kind === 'nullable' ? isFlat(at.inner) : !withParts.has(at.kind)
}

function* piecesOfArray(item: Node, values: readonly unknown[]): Generator<string> {
  yield '['
  const schema = { node: { kind: 'array' as const, item } }
  if (isFlat(item))
    for (let from = 0; from < values.length; from += elementsPerPiece) {
      const json = JSON.stringify(encode(schema, values.slice(from, from + elementsPerPiece)))
      yield (from > 0 ? ',' : '') + json.slice(1, -1)
    }
  else
    for (const [i, value] of values.entries()) {
      if (i > 0) yield ','
      yield* piecesOf(item, value)
    }
  yield ']'
}

// One piece for all fields without parts: a piece each costs more than the fields.
function* piecesOfObject({ fields }: ObjectNode, value: Obj): Generator<string> {
  let text = '{'
  let isFirst = true
  for (const { key, wire, node } of fields) {
    const field = value[key]
    if (field === undefined) continue
    text += `${isFirst ? '' : ','}${JSON.stringify(wire)}:`
    isFirst = false
    const whole = wholeOf(node, field)
    if (whole !== undefined) text += whole
    if (whole !== undefined && text.length < charactersPerYield) continue
    yield text
    text = ''
    if (whole === undefined) yield* piecesOf(node, field)
  }
  yield `${text}}`
}

function* piecesOfRecord(node: Node, value: Obj): Generator<string> {
  const fields = Object.keys(value).map((key) => ({ key, wire: key, node, optional: false }))
  yield* piecesOfObject({ kind: 'object', fields }, value)
}

function* piecesOfUnion({ tag, arms }: Extract<Node, { kind: 'union' }>, value: Obj): Generator<string> {
  const arm = arms.get(String(value[tag]))
  if (arm) yield* piecesOfObject(arm, value)
  else yield JSON.stringify(value)
}
