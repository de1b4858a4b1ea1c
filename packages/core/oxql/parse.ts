/** Text → query. */
import type { MatchResult, Node } from 'ohm-js'
import { oxql } from './grammar.ts'
import {
  NoLiteral,
  readDouble,
  readDuration,
  readInteger,
  readMoment,
  readQuoted,
  readText,
} from './literals.ts'
import {
  type Comparison,
  type connectives,
  durationMs,
  type Duration,
  type Expr,
  type Limit,
  type Literal,
  type Moment,
  type Op,
  type Query,
  QueryError,
  type Reducer,
} from './syntax.ts'

const longestQuery = 4096
const deepestNesting = 32

/** What is read well by the grammar and yet is none of the language. */
class Misplaced extends Error {
  readonly at: number
  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
  }
}

/** Reads a query. Throws QueryError. */
export function parseQuery(text: string): Query {
  const query = text.trim()
  if (query.length > longestQuery) throw new QueryError(`Queries must be <= ${longestQuery} characters`)
  refuseDeepNesting(query)
  const match = oxql.match(query)
  if (match.failed()) throw errorAt(query, match.getInterval().startIdx, match.getExpectedText())
  try {
    return queryOf(rootOf(match))
  } catch (error) {
    if (error instanceof Misplaced) throw errorAt(query, error.at, error.message)
    throw error
  }
}

const shownAround = 24
function errorAt(text: string, at: number, expected: string): QueryError {
  const before = text.slice(0, at).split('\n')
  const start = before.at(-1) ?? ''
  const rest = text.slice(at).split('\n')[0] ?? ''
  const lead = `Error at ${before.length}:${start.length + 1}: .. `
  const near = start.slice(-shownAround)
  const context = `${lead}${near}${rest.slice(0, shownAround)} ..`
  return new QueryError(`${context}\n${' '.repeat(lead.length + near.length)}^\nExpected: ${expected}`)
}

// The parser calls itself for every level, so it must not be left to find out how deep they go.
function refuseDeepNesting(text: string): void {
  let brackets = 0
  let nots = 0
  for (const { 0: token, index } of text.matchAll(/'[^']*'|"[^"]*"|!(?!=)|[({})]|\w/g)) {
    if (token === '!') nots++
    else if (token === '(' || token === '{') brackets++
    else if (token === ')' || token === '}') brackets--
    else nots = 0
    if (brackets + nots > deepestNesting)
      throw errorAt(text, index, `no more than ${deepestNesting} levels of nesting`)
  }
}

const semantics = oxql.createSemantics().addOperation<Node>('itself', {
  _nonterminal() {
    return this
  },
})
const rootOf = (match: MatchResult): Node => (semantics(match) as { itself: () => Node }).itself()

/** The parts of a node that these rules have read, repeated ones too. */
const parts = (node: Node, ...rules: string[]): Node[] =>
  node.children.flatMap((child) => {
    if (child.isIteration()) return parts(child, ...rules)
    return rules.includes(child.ctorName) ? [child] : []
  })
/** The part of a node that one of these rules has read. */
function part(node: Node, ...rules: string[]): Node {
  const [found] = parts(node, ...rules)
  if (!found) throw new Error(`${node.ctorName} without ${rules.join(' or ')}`)
  return found
}
const word = (node: Node, rule: string): string => part(node, rule).sourceString

function read<T>(node: Node, make: (text: string) => T): T {
  try {
    return make(node.sourceString)
  } catch (error) {
    if (error instanceof NoLiteral) throw new Misplaced(node.source.startIdx, error.message)
    throw error
  }
}

const begins = ({ op }: Op) => op === 'get' || op === 'group'
const queryOf = (node: Node): Query =>
  parts(node, 'op').map((each, i) => {
    const op = opOf(part(each, 'group', 'get', 'filter', 'groupBy', 'align', 'join', 'limit'))
    if (begins(op) === (i === 0)) return op
    throw new Misplaced(each.source.startIdx, 'every subquery must start with a get operation')
  })

function opOf(node: Node): Op {
  switch (node.ctorName) {
    case 'group':
      return { op: 'group', queries: parts(node, 'query').map(queryOf) }
    case 'get':
      return { op: 'get', name: word(node, 'name') }
    case 'filter':
      return { op: 'filter', expr: exprOf(part(node, 'or')) }
    case 'groupBy': {
      const fields = parts(part(node, 'fields'), 'ident').map(({ sourceString }) => sourceString)
      const [reducer] = parts(node, 'reducer')
      return { op: 'group_by', fields, reducer: (reducer?.sourceString ?? 'mean') as Reducer }
    }
    case 'align':
      return {
        op: 'align',
        method: word(node, 'method') as 'mean_within',
        period: periodOf(part(node, 'duration')),
      }
    case 'join':
      return { op: 'join' }
    default:
      return { op: 'limit', side: word(node, 'side') as Limit['side'], count: countOf(part(node, 'integer')) }
  }
}

function periodOf(node: Node): Duration {
  const period = read(node, readDuration)
  if (durationMs(period) === 0) throw new Misplaced(node.source.startIdx, 'a period longer than zero')
  return period
}
function countOf(node: Node): number {
  const count = read(node, readInteger)
  if (count < 1n) throw new Misplaced(node.source.startIdx, 'an integer greater than zero')
  return Number(count)
}

function exprOf(node: Node): Expr {
  switch (node.ctorName) {
    case 'or':
      return joined('or', parts(node, 'and'))
    case 'and':
      return joined('and', parts(node, 'xor'))
    case 'xor':
      return joined('xor', parts(node, 'factor'))
    case 'factor':
      return exprOf(part(node, 'negated', 'enclosed', 'atom'))
    case 'negated':
      return { kind: 'not', of: exprOf(part(node, 'factor')) }
    case 'enclosed':
      return exprOf(part(node, 'or'))
    default:
      return atomOf(node)
  }
}
function joined(kind: keyof typeof connectives, nodes: readonly Node[]): Expr {
  const of = nodes.map(exprOf)
  return of.length === 1 && of[0] ? of[0] : { kind, of }
}
function atomOf(node: Node): Expr {
  const cmp = word(node, 'cmp') as Comparison
  const value = part(node, 'literal')
  const literal = literalOf(value)
  if (cmp === '~=' && literal.type !== 'String')
    throw new Misplaced(value.source.startIdx, 'a string: only string literals allowed after ~=')
  return { kind: 'atom', ident: word(node, 'ident'), cmp, literal }
}

function literalOf(literal: Node): Literal {
  const node = part(literal, 'boolean', 'duration', 'integer', 'double', 'quoted', 'text', 'timestamp')
  switch (node.ctorName) {
    case 'boolean':
      return { type: 'Boolean', value: node.sourceString === 'true' }
    case 'duration':
      return { type: 'Duration', value: read(node, readDuration) }
    case 'integer':
      return { type: 'Integer', value: read(node, readInteger) }
    case 'double':
      return read(node, readDouble)
    case 'quoted':
      return read(part(node, 'inside'), readQuoted)
    case 'text':
      return read(part(node, 'within'), readText)
    default:
      return { type: 'Timestamp', value: momentOf(part(node, 'relative', 'dateTime', 'date', 'time')) }
  }
}
function momentOf(node: Node): Moment {
  if (node.ctorName !== 'relative') return read(node, readMoment)
  const [offset] = parts(node, 'offset')
  if (!offset) return { since: 'now', sign: '+', by: { count: 0, unit: 's' } }
  const by = read(part(offset, 'duration'), readDuration)
  return { since: 'now', sign: word(offset, 'sign') as '+' | '-', by }
}
