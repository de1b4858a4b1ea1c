/** Sets of moments as sorted spans that do not touch; both ends belong to a span. */
import { resolveMoment } from './literals.ts'
import type { Comparing, Term } from './terms.ts'

export interface Span {
  from: number
  until: number
}
export type Spans = readonly Span[]

export const always: Spans = [{ from: -Infinity, until: Infinity }]

const bits = new DataView(new ArrayBuffer(8))
/** The next number that can be told from `x`, towards the future (1) or the past (-1). */
function neighbour(x: number, towards: 1 | -1): number {
  if (!Number.isFinite(x)) return x
  if (x === 0) return towards * Number.MIN_VALUE
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(x > 0 ? towards : -towards))
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
const either = (a: Spans, b: Spans): Spans => union(intersect(a, complement(b)), intersect(complement(a), b))

function spansOfAtom({ test, literal }: Comparing, now: number): Spans {
  if (literal.type !== 'Timestamp') return always
  const at = resolveMoment(literal.value, now)
  const instant = [{ from: at, until: at }]
  switch (test) {
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

/** The moments that fulfil a condition made of times alone. */
export function spansOf(term: Term, now: number): Spans {
  if (term.kind === 'atom') return spansOfAtom(term, now)
  const parts = term.of.map((part) => spansOf(part, now))
  const join = { all: intersect, any: union, odd: either }[term.kind]
  return parts.reduce((whole, part) => join(whole, part), term.kind === 'all' ? always : [])
}

/** The same set with every span longer by `ms` on both sides. */
export const widen = (spans: Spans, ms: number): Spans =>
  union(
    [],
    spans.map(({ from, until }) => ({ from: from - ms, until: until + ms })),
  )
