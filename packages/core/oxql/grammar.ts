/** The grammar of queries. Alternatives are tried in order; blanks are where `ws` says. */
import { grammar } from 'ohm-js'
import { comparisons, unitMs } from './syntax.ts'

const anyOf = (list: readonly string[]) => list.map((word) => JSON.stringify(word)).join(' | ')
// "ms" must be tried before "m".
const units = Object.keys(unitMs).toSorted((a, b) => b.length - a.length)

export const oxql = grammar(String.raw`
Oxql {
  query = op (ws? "|" ws? op)*
  op = get | filter | groupBy | align | join | limit | group
  group = "{" ws? query (ws? ";" ws? query)* ws? "}"
  get = "get" ws name
  name (a timeseries name) = ident ":" ident
  filter = "filter" ws or
  or = and (ws? "||" ws? and)*
  and = xor (ws? "&&" ws? xor)*
  xor = factor (ws? "^" ws? factor)*
  factor = negated | enclosed | atom
  negated = "!" ws? factor
  enclosed = "(" ws? or ws? ")"
  atom = ident ws? cmp ws? literal
  cmp (a comparison) = ${anyOf(comparisons)}
  groupBy = "group_by" ws "[" ws? fields ws? "]" (ws? "," ws? reducer)?
  fields = (ident (ws? "," ws? ident)*)? (ws? ",")?
  reducer = "mean" | "sum"
  align = "align" ws method "(" duration ")"
  method = "mean_within" | "interpolate"
  join = "join"
  limit = side ws integer
  side = "first" | "last"

  ident (an identifier) = low (low | digit)* ("_" (low | digit)+)*
  low = "a".."z"
  literal = boolean | duration | integer | double | quoted | text | timestamp
  boolean (a boolean) = "true" | "false"
  duration (a duration) = whole unit
  unit = ${anyOf(units)}
  integer (an integer) = whole ~("." | "e" | "E")
  whole = "-"? (hex | decimal)
  hex = "0x" hexDigit+
  decimal = digit+
  double (a double) = "-"? (mixed | fraction) exponent?
  mixed = decimal ("." digit*)?
  fraction = "." decimal
  exponent = ("e" | "E") "-"? decimal
  quoted (a string) = "\"" inside "\""
  inside = (~"\"" any)*
  text (a string) = "'" within "'"
  within = (~"'" any)*
  timestamp (a timestamp) = "@" (relative | dateTime | date | time)
  relative = "now()" offset?
  offset = ws? sign ws? duration
  sign = "+" | "-"
  dateTime = date "T" time
  date = two two "-" two "-" two
  time = two ":" two ":" two fraction?
  two = digit digit
  ws (a blank) = (" " | "\t" | "\n" | "\r")+
}`)
