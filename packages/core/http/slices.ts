/** JSON of large answers, made in pieces: other work can run between them. */
import { bare, type Node, type ObjectNode, type Schema } from '@purlin/contract/schema'
import { encode } from '@purlin/contract/wire'
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
  if (value === null || value === undefined) yield 'null'
  else if (value instanceof StoredJson) yield value.text
  else if (at.kind === 'nullable') yield* piecesOf(at.inner, value)
  else if (at.kind === 'array') yield* piecesOfArray(at.item, value as unknown[])
  else if (at.kind === 'object') yield* piecesOfObject(at, value as Obj)
  else if (at.kind === 'record') yield* piecesOfRecord(at.value, value as Obj)
  else if (at.kind === 'union') yield* piecesOfUnion(at, value as Obj)
  else yield JSON.stringify(encode({ node: at }, value))
}

/** Whether all values of a node have about the same size. */
const isFlat = (node: Node): boolean => {
  const at = bare(node)
  if (at.kind === 'nullable') return isFlat(at.inner)
  return !['array', 'object', 'record', 'union'].includes(at.kind)
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

function* piecesOfObject({ fields }: ObjectNode, value: Obj): Generator<string> {
  let before = '{'
  for (const { key, wire, node } of fields) {
    if (value[key] === undefined) continue
    yield `${before}${JSON.stringify(wire)}:`
    before = ','
    yield* piecesOf(node, value[key])
  }
  yield before === '{' ? '{}' : '}'
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
