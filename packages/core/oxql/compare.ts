/** One comparison of a filter, ready to be asked of many values. */
import { parseIp } from '@purlin/contract/rules/ip'
import { RE2JS, RE2JSException } from 're2js'
import { resolveMoment } from './literals.ts'
import { durationMs, type Literal, QueryError } from './syntax.ts'
import type { Comparing, Test } from './terms.ts'

/** A stored value; missing is NaN in numbers and null in anything else. */
export type Scalar = string | number | boolean | null
/** Missing values fulfil no comparison. */
export type Holds = (value: Scalar) => boolean

const largest = { pattern: 256, instructions: 2000 }
const nsPerMs = 1e6

/** What the comparison asks of values. `now` is what literals count from. Throws QueryError. */
export function holdsOf({ test, literal }: Comparing, now: number): Holds {
  if (test === '~=' || test === '!~')
    return matching(literal.type === 'String' ? literal.value : '', test === '~=')
  if (literal.type === 'IpAddr') return ordered(test, addressOf(literal.value), addressOf)
  return ordered(test, plainOf(literal, now), (value) => (typeof value === 'boolean' ? Number(value) : value))
}

/** Booleans are numbers here, and durations and timestamps are nanoseconds. */
function plainOf({ type, value }: Literal, now: number): Ordered {
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
// IPv4 before IPv6.
function addressOf(text: Scalar): bigint | null {
  const address = parseIp(String(text))
  return address ? (BigInt(address.family) << 128n) + address.value : null
}

type Ordered = string | number | bigint | null
function ordered(test: Test, than: Ordered, of: (value: Scalar) => Ordered): Holds {
  if (than === null) return () => false
  const asked = compare(test, than)
  return (value) => {
    const it = of(value)
    return it !== null && asked(it)
  }
}
function compare(test: Test, than: NonNullable<Ordered>): (value: NonNullable<Ordered>) => boolean {
  switch (test) {
    // Integers beyond the precision of numbers equal no number by the usual test, even where they do.
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

// The engine needs time in proportion to the text, whatever the pattern; what patterns can cost is bounded.
function matching(pattern: string, wanted: boolean): Holds {
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
  const tooLarge = () => new QueryError(`The regular expression "${pattern}" is too large`)
  if (pattern.length > largest.pattern) throw tooLarge()
  try {
    const expression = RE2JS.compile(pattern)
    if (expression.re2().numberOfInstructions() > largest.instructions) throw tooLarge()
    return expression
  } catch (error) {
    if (error instanceof RE2JSException)
      throw new QueryError(`The regular expression "${pattern}" is not valid: ${error.message}`)
    throw error
  }
}
