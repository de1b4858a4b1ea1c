/** Sets of times as sorted, disjoint spans. Both ends of a span belong to it. */
import { resolveMoment } from './literals.ts'
import type { Condition, Term } from './terms.ts'

export interface Span {
  from: number
  until: number
}
export type Spans = readonly Span[]

export const always: Spans = [{ from: -Infinity, until: Infinity }]

const bits = new DataView(new ArrayBuffer(8))
/** The next representable number after `x` (1) or before it (-1). */
function neighbour(x: number, direction: 1 | -1): number {
  if (!Number.isFinite(x)) return x
  if (x === 0) return direction * Number.MIN_VALUE
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(x > 0 ? direction : -direction))
  return bits.getFloat64(0)
}

export function intersect(a: Spans, b: Spans): Spans {
  const both: Span[] = []
  for (const one of a)
    for (const two of b) {
      const span = { from: Math.max(one.from, two.from), until: Math.min(one.until, two.until) }
      if (span.from <= span.until) both.push(span)
    }
  return both
}

function union(a: Spans, b: Spans): Spans {
  const merged: Span[] = []
  for (const span of [...a, ...b].toSorted((one, two) => one.from - two.from)) {
    const last = merged.at(-1)
    if (last && span.from <= neighbour(last.until, 1)) last.until = Math.max(last.until, span.until)
    else merged.push({ ...span })
  }
  return merged
}

function complement(spans: Spans): Spans {
  const between: Span[] = []
  let from = -Infinity
  for (const span of spans) {
    if (span.from > from) between.push({ from, until: neighbour(span.from, -1) })
    from = neighbour(span.until, 1)
  }
  if (from < Infinity) between.push({ from, until: Infinity })
  return between
}
const symmetricDifference = (a: Spans, b: Spans): Spans =>
  union(intersect(a, complement(b)), intersect(complement(a), b))

function spansOfAtom({ operator, literal }: Condition, now: number): Spans {
  if (literal.type !== 'Timestamp') return always
  const at = resolveMoment(literal.value, now)
  const instant = [{ from: at, until: at }]
  switch (operator) {
    case '==':
      return instant
    case '!=':
      return complement(instant)
    case '>=':
      return [{ from: at, until: Infinity }]
    case '>':
      return [{ from: neighbour(at, 1), until: Infinity }]
    case '<=':
      return [{ from: -Infinity, until: at }]
    case '<':
      return [{ from: -Infinity, until: neighbour(at, -1) }]
    default:
      return always
  }
}

/** The times that satisfy a term with only conditions on times. */
export function spansOf(term: Term, now: number): Spans {
  if (term.kind === 'atom') return spansOfAtom(term, now)
  const parts = term.of.map((part) => spansOf(part, now))
  const join = { and: intersect, or: union, xor: symmetricDifference }[term.kind]
  return parts.reduce((whole, part) => join(whole, part), term.kind === 'and' ? always : [])
}

/** Extends every span by `ms` at both ends. */
export const widen = (spans: Spans, ms: number): Spans =>
  union(
    [],
    spans.map(({ from, until }) => ({ from: from - ms, until: until + ms })),
  )
