/**
 * The grammar of queries. Alternatives are tried in order; white space is allowed only where `ws` says. Rules are
 * grouped by the type that the parser reads them as, and the type check compares its actions with the groups.
 */
import { grammar } from 'ohm-js'
import { comparisons, methods, reducers, sides, signs, units } from './syntax.ts'

const anyOf = (words: readonly string[]) => words.map((word) => JSON.stringify(word)).join(' | ')

const rules = {
  query: {
    query: `= nonemptyListOf<op, pipe>`,
  },
  op: {
    op: `= get | filter | groupBy | align | join | limit | group`,
    get: `= "get" ws name`,
    filter: `= "filter" ws or`,
    groupBy: `= groupWord fields reduction?`,
    align: `= alignWord method period`,
    join: `= "join"`,
    limit: `= side ws integer`,
    group: `= openBrace nonemptyListOf<query, semicolon> closeBrace`,
  },
  fields: {
    fields: `= openBracket listOf<ident, comma> closeBracket`,
  },
  reducer: {
    reduction: `= comma reducer`,
  },
  expr: {
    or: `= nonemptyListOf<and, orSign>`,
    and: `= nonemptyListOf<xor, andSign>`,
    xor: `= nonemptyListOf<factor, xorSign>`,
    factor: `= negated | enclosed | atom`,
    negated: `= not factor`,
    enclosed: `= openParenthesis or closeParenthesis`,
    atom: `= ident relation literal`,
  },
  literal: {
    literal: `= boolean | span | integer | double | quoted | text | timestamp`,
    boolean: `(a boolean) = "true" | "false"`,
    span: `= duration`,
    integer: `(an integer) = whole ~("." | "e" | "E")`,
    double: `(a double) = "-"? (mixed | fraction) exponent?`,
    quoted: `(a string) = "\\"" (~"\\"" any)* "\\""`,
    text: `(a string) = "'" (~"'" any)* "'"`,
    timestamp: `(a timestamp) = "@" moment`,
  },
  duration: {
    duration: `(a duration) = whole unit`,
    period: `= "(" duration ")"`,
  },
  moment: {
    moment: `= relative | absolute`,
    absolute: `= dateTime | date | time`,
    relative: `= "now()" offset?`,
    offset: `= sign duration`,
  },
  /** Rules without an action: the parser uses their text or ignores them. */
  token: {
    ws: `(a blank) = (" " | "\\t" | "\\n" | "\\r")+`,
    pipe: `= ws? "|" ws?`,
    semicolon: `= ws? ";" ws?`,
    comma: `= ws? "," ws?`,
    openBrace: `= "{" ws?`,
    closeBrace: `= ws? "}"`,
    openBracket: `= "[" ws?`,
    closeBracket: `= (ws? ",")? ws? "]"`,
    openParenthesis: `= "(" ws?`,
    closeParenthesis: `= ws? ")"`,
    orSign: `= ws? "||" ws?`,
    andSign: `= ws? "&&" ws?`,
    xorSign: `= ws? "^" ws?`,
    not: `= "!" ws?`,
    relation: `= ws? cmp ws?`,
    cmp: `(a comparison) = ${anyOf(comparisons)}`,
    name: `(a timeseries name) = ident ":" ident`,
    ident: `(an identifier) = low (low | digit)* ("_" (low | digit)+)*`,
    low: `= "a".."z"`,
    groupWord: `= "group_by" ws`,
    reducer: `= ${anyOf(reducers)}`,
    alignWord: `= "align" ws`,
    method: `= ${anyOf(methods)}`,
    side: `= ${anyOf(sides)}`,
    whole: `= "-"? (hex | decimal)`,
    hex: `= "0x" hexDigit+`,
    decimal: `= digit+`,
    mixed: `= decimal ("." digit*)?`,
    fraction: `= "." decimal`,
    exponent: `= ("e" | "E") "-"? decimal`,
    unit: `= ${anyOf(units)}`,
    sign: `= ws? (${anyOf(signs)}) ws?`,
    dateTime: `= date "T" time`,
    date: `= two two "-" two "-" two`,
    time: `= two ":" two ":" two fraction?`,
    two: `= digit digit`,
  },
}
type Rules = typeof rules
/** The groups of rules that have actions. */
export type Group = Exclude<keyof Rules, 'token'>
/** The names of the rules of a group. */
export type RuleOf<G extends Group> = keyof Rules[G] & string

const source = Object.values(rules)
  .flatMap((group) => Object.entries(group))
  .map(([name, body]) => `${name} ${body}\n`)
export const oxql = grammar(`Oxql { ${source.join('')} }`)
