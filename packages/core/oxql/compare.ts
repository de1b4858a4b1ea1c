/** The comparisons of a filter as predicates on values. */
import { parseIp } from '@purlin/contract/rules/network/ip'
import { quoted } from '@purlin/contract/rules/messages'
import { RE2JS, RE2JSException } from 're2js'
import { resolveMoment } from './literals.ts'
import { durationMs, type Literal, QueryError } from './syntax.ts'
import type { Condition, Operator } from './terms.ts'

/** A stored value; a missing one is NaN in numbers and null in anything else. */
export type Scalar = string | number | boolean | null
/** A missing value satisfies no comparison. */
export type ValuePredicate = (value: Scalar) => boolean

const limits = { pattern: 256, instructions: 2000 }
const nsPerMs = 1e6

/** The predicate of a comparison. Relative times count from `now`. Throws QueryError. */
export function valuePredicate({ operator, literal }: Condition, now: number): ValuePredicate {
  if (operator === '~=' || operator === '!~')
    return matching(literal.type === 'String' ? literal.value : '', operator === '~=')
  if (literal.type === 'IpAddr') return ordered(operator, addressOf(literal.value), addressOf)
  return ordered(operator, comparableOf(literal, now), (value) =>
    typeof value === 'boolean' ? Number(value) : value,
  )
}

/** Booleans as numbers, durations and timestamps in nanoseconds. */
function comparableOf({ type, value }: Literal, now: number): Ordered {
  switch (type) {
    case 'Boolean':
      return Number(value)
    case 'Duration':
      return durationMs(value) * nsPerMs
    case 'Timestamp':
      return resolveMoment(value, now) * nsPerMs
    default:
      return value
  }
}
// IPv4 sorts before IPv6.
function addressOf(text: Scalar): bigint | null {
  const address = parseIp(String(text))
  return address ? (BigInt(address.family) << 128n) + address.value : null
}

type Ordered = string | number | bigint | null
function ordered(operator: Operator, than: Ordered, of: (value: Scalar) => Ordered): ValuePredicate {
  if (than === null) return () => false
  const matches = compare(operator, than)
  return (value) => {
    const it = of(value)
    return it !== null && matches(it)
  }
}
function compare(operator: Operator, than: NonNullable<Ordered>): (value: NonNullable<Ordered>) => boolean {
  switch (operator) {
    // `===` is false between a bigint and a number, even if they are equal.
    case '==':
      return (value) => isEqual(value, than)
    case '!=':
      return (value) => !isEqual(value, than) && isPresent(value)
    case '<':
      return (value) => value < than
    case '<=':
      return (value) => value <= than
    case '>':
      return (value) => value > than
    default:
      return (value) => value >= than
  }
}

const isPresent = (value: NonNullable<Ordered>) => !Number.isNaN(value)
const isEqual = (a: NonNullable<Ordered>, b: NonNullable<Ordered>) => !(a < b) && !(a > b) && isPresent(a)

// Matching takes linear time in the text, for any pattern. The size of the pattern is limited.
function matching(pattern: string, wanted: boolean): ValuePredicate {
  const expression = compiled(pattern)
  const known = new Map<Scalar, boolean>()
  return (value) => {
    if (value === null) return false
    const matches = known.get(value) ?? expression.test(String(value))
    known.set(value, matches)
    return matches === wanted
  }
}
function compiled(pattern: string): RE2JS {
  const tooLarge = () => new QueryError(`The regular expression "${quoted(pattern)}" is too large`)
  if (pattern.length > limits.pattern) throw tooLarge()
  try {
    const expression = RE2JS.compile(pattern)
    if (expression.re2().numberOfInstructions() > limits.instructions) throw tooLarge()
    return expression
  } catch (error) {
    if (error instanceof RE2JSException)
      throw new QueryError(
        `The regular expression "${quoted(pattern)}" is not valid: ${quoted(error.message)}`,
      )
    throw error
  }
}
