/** Parses queries. */
import { limits } from '@purlin/contract/rules/limits'
import type { Action, Node, Semantics } from 'ohm-js'
import { type Group, oxql, type RuleOf } from './grammar.ts'
import {
  InvalidLiteral,
  readCount,
  readDouble,
  readInteger,
  readMoment,
  readQuoted,
  readText,
} from './literals.ts'
import {
  comparisons,
  type connectives,
  durationMs,
  type Duration,
  type Expr,
  type Literal,
  methods,
  type Moment,
  type Op,
  type Query,
  QueryError,
  type Reducer,
  reducers,
  sides,
  signs,
  units,
} from './syntax.ts'

const maxNesting = 32

/** A text that the grammar accepts but the language does not. The message names the expected one. */
class Unexpected extends Error {
  readonly at: number
  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
  }
}

/** Parses a query. Throws QueryError. */
export function parseQuery(text: string): Query {
  const query = text.trim()
  if (query.length > limits.query) throw new QueryError(`Queries must be <= ${limits.query} characters`)
  checkNesting(query)
  const match = oxql.match(query)
  if (match.failed()) throw errorAt(query, match.getInterval().startIdx, match.getExpectedText())
  try {
    return queryOf(semantics(match))
  } catch (error) {
    if (error instanceof Unexpected) throw errorAt(query, error.at, error.message)
    throw error
  }
}

const contextLength = 24
function errorAt(text: string, at: number, expected: string): QueryError {
  const before = text.slice(0, at).split('\n')
  const start = before.at(-1) ?? ''
  const rest = text.slice(at).split('\n')[0] ?? ''
  const lead = `Error at ${before.length}:${start.length + 1}: .. `
  const near = start.slice(-contextLength)
  const context = `${lead}${near}${rest.slice(0, contextLength)} ..`
  return new QueryError(`${context}\n${' '.repeat(lead.length + near.length)}^\nExpected: ${expected}`)
}

// The parser recurses for every level, so the depth is checked before it runs.
function checkNesting(text: string): void {
  let brackets = 0
  let nots = 0
  for (const { 0: token, index } of text.matchAll(/'[^']*'|"[^"]*"|!(?!=)|[({})]|\w/g)) {
    if (token === '!') nots++
    else if (token === '(' || token === '{') brackets++
    else if (token === ')' || token === '}') brackets--
    else nots = 0
    if (brackets + nots > maxNesting) throw errorAt(text, index, `at most ${maxNesting} levels of nesting`)
  }
}

/** The type that the rules of each group of the grammar are read as. */
interface Results {
  query: Query
  op: Op
  fields: string[]
  reducer: Reducer
  expr: Expr
  literal: Literal
  duration: Duration
  moment: Moment
}

const semantics = oxql.createSemantics()
/** Reads a node of a match. Ohm does not type the results of actions. */
type Reader<G extends Group> = (node: ReturnType<Semantics>) => Results[G]
/** Creates a reader from an action for each rule of a group. */
function createReader<G extends Group>(group: G, actions: Record<RuleOf<G>, Action<Results[G]>>): Reader<G> {
  semantics.addOperation<Results[G]>(group, actions)
  return (node) => node[group]()
}

/** The one of these words that is the text of a node. */
function wordOf<Word extends string>(words: readonly Word[], { sourceString }: Node): Word {
  const word = words.find((one) => one === sourceString.trim())
  if (word === undefined) throw new Error(`${sourceString} is none of ${words.join(', ')}`)
  return word
}

function read<T>(node: Node, make: (text: string) => T): T {
  try {
    return make(node.sourceString)
  } catch (error) {
    if (error instanceof InvalidLiteral) throw new Unexpected(node.source.startIdx, error.message)
    throw error
  }
}

const queryOf: Reader<'query'> = createReader('query', {
  query: (list) =>
    list.asIteration().children.map((node, i) => {
      const op = opOf(node)
      if ((op.op === 'get' || op.op === 'group') === (i === 0)) return op
      throw new Unexpected(node.source.startIdx, 'every subquery must start with a get operation')
    }),
})

const opOf: Reader<'op'> = createReader('op', {
  op: (one) => opOf(one),
  get: (_get, _ws, name) => ({ op: 'get', name: name.sourceString }),
  filter: (_filter, _ws, expr) => ({ op: 'filter', expr: exprOf(expr) }),
  groupBy: (_groupBy, fields, reduction) => {
    const [reducer = 'mean'] = reduction.children.map(reducerOf)
    return { op: 'group_by', fields: fieldsOf(fields), reducer }
  },
  align: (_align, method, period) => ({
    op: 'align',
    method: wordOf(methods, method),
    period: durationOf(period),
  }),
  join: (_join) => ({ op: 'join' }),
  limit: (side, _ws, integer) => {
    const count = read(integer, readInteger)
    if (count < 1n) throw new Unexpected(integer.source.startIdx, 'an integer greater than zero')
    return { op: 'limit', side: wordOf(sides, side), count: Number(count) }
  },
  group: (_open, list, _close) => ({ op: 'group', queries: list.asIteration().children.map(queryOf) }),
})

const fieldsOf: Reader<'fields'> = createReader('fields', {
  fields: (_open, list, _close) => list.asIteration().children.map(({ sourceString }) => sourceString),
})

const reducerOf: Reader<'reducer'> = createReader('reducer', {
  reduction: (_comma, reducer) => wordOf(reducers, reducer),
})

function joined(kind: keyof typeof connectives, list: Node): Expr {
  const of = list.asIteration().children.map(exprOf)
  return of.length === 1 && of[0] ? of[0] : { kind, of }
}
const exprOf: Reader<'expr'> = createReader('expr', {
  or: (list) => joined('or', list),
  and: (list) => joined('and', list),
  xor: (list) => joined('xor', list),
  factor: (one) => exprOf(one),
  negated: (_not, factor) => ({ kind: 'not', of: exprOf(factor) }),
  enclosed: (_open, expr, _close) => exprOf(expr),
  atom: (ident, relation, value) => {
    const cmp = wordOf(comparisons, relation)
    const literal = literalOf(value)
    if (cmp === '~=' && literal.type !== 'String')
      throw new Unexpected(value.source.startIdx, 'a string: only string literals allowed after ~=')
    return { kind: 'atom', ident: ident.sourceString, cmp, literal }
  },
})

const literalOf: Reader<'literal'> = createReader('literal', {
  literal: (one) => literalOf(one),
  boolean: ({ sourceString }) => ({ type: 'Boolean', value: sourceString === 'true' }),
  span: (duration) => ({ type: 'Duration', value: durationOf(duration) }),
  integer: (whole) => ({ type: 'Integer', value: read(whole, readInteger) }),
  double(_sign, _digits, _exponent) {
    return read(this, readDouble)
  },
  quoted: (_open, inside, _close) => read(inside, readQuoted),
  text: (_open, inside, _close) => read(inside, readText),
  timestamp: (_at, moment) => ({ type: 'Timestamp', value: momentOf(moment) }),
})

const durationOf: Reader<'duration'> = createReader('duration', {
  duration: (count, unit) => ({ count: read(count, readCount), unit: wordOf(units, unit) }),
  period: (_open, duration, _close) => {
    const period = durationOf(duration)
    if (durationMs(period) > 0) return period
    throw new Unexpected(duration.source.startIdx, 'a period longer than zero')
  },
})

const momentOf: Reader<'moment'> = createReader('moment', {
  moment: (one) => momentOf(one),
  absolute: (one) => read(one, readMoment),
  relative: (_now, offset) => {
    const [moment = { since: 'now', sign: '+', by: { count: 0, unit: 's' } }] = offset.children.map(momentOf)
    return moment
  },
  offset: (sign, duration) => ({ since: 'now', sign: wordOf(signs, sign), by: durationOf(duration) }),
})
