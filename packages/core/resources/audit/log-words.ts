/**
 * The words of a request for the audit log, such as `-operation:login_local`: as the filters that the log has, by which its
 * indexes are read, and as conditions on the entries that are looked through.
 */
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { isTrouble, readFilter, type Comparison, type Filter } from '@purlin/contract/rules/query/filter'
import { isUuid } from '@purlin/contract/rules/names'
import { canonicalIp } from '@purlin/contract/rules/network/ip'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { nameKey } from '#/audit/details.ts'
import { seqOf } from '#/audit/sequence.ts'
import { contains, hasObject } from '#/auth/log-readers.ts'
import type { Tables } from '#/db/tables.ts'

type Entries = ExpressionBuilder<Tables, 'auditEntry'>
type Condition = (eb: Entries) => Expression<SqlBool>

/** Entries with a key: the id of an object, of its project, or a name. */
export const hasKey =
  (...keys: readonly string[]): Condition =>
  (eb) =>
    eb.exists(
      eb
        .selectFrom('auditKey as word')
        .select('word.seq')
        .where('word.key', 'in', keys)
        .whereRef('word.seq', '=', 'auditEntry.seq'),
    )

const keyOf = (text: string): string => (isUuid(text) ? text.toLowerCase() : nameKey(text))

const detailsJson = sql`lower(${sql.ref('detailsJson')})`

/** The conditions of a value, by the name of its column. */
export const conditionsOf = {
  operation: (value) => (eb) => eb('operation', '=', value),
  // Quotes in addresses are escaped, so that none contains this.
  actor: (value) => (eb) =>
    isUuid(value)
      ? eb('actorId', '=', value.toLowerCase())
      : contains(detailsJson, `"actorname":${JSON.stringify(value).toLowerCase()}`),
  result: (value) => (eb) => {
    if (value === 'unknown') return eb('status', '=', 0)
    return value === 'success'
      ? eb.and([eb('status', '>', 0), eb('status', '<', 400)])
      : eb('status', '>=', 400)
  },
  kind: (value) => () => hasObject(value),
  object: (value) => hasKey(keyOf(value)),
  project: (value) => (eb) =>
    isUuid(value)
      ? hasKey(value.toLowerCase())(eb)
      : eb.exists(
          eb
            .selectFrom('auditKey as word')
            .select('word.seq')
            .where(
              'word.key',
              'in',
              eb.selectFrom('project').select('project.id').where('project.name', '=', value),
            )
            .whereRef('word.seq', '=', 'auditEntry.seq'),
        ),
  address: (value) => (eb) => eb('sourceIp', '=', canonicalIp(value)),
  agent: (value) => () => contains(sql`lower(${sql.ref('userAgent')})`, value.toLowerCase()),
} as const satisfies Readonly<Record<string, (value: string) => Condition>>

type ValueColumn = keyof typeof conditionsOf

/** The parameters of a request for the log that mean the same as one value of a column. */
interface Parameters {
  operation?: string | undefined
  actor?: string | undefined
  object?: string | undefined
  objectName?: string | undefined
}

/** The first and, exclusive, the last number of entries. */
export interface Span {
  first: number
  end: number
}

interface Words {
  /** Parameters with an index. */
  parameters: Parameters
  span: Span
  conditions: readonly Condition[]
}

const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const satisfies Record<
  Comparison,
  Comparison
>
/** A smaller age is a later time. */
const mirrored = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const satisfies Record<
  Comparison,
  Comparison
>

function spanOf({ value, by, isNot }: Filter, now: number): Span {
  const all = { first: 0, end: Number.MAX_SAFE_INTEGER }
  if (typeof value !== 'object' || !by) return all
  const at = 'at' in value ? value.at : now - value.ago
  const ofTime = 'at' in value ? by : mirrored[by]
  const wanted = isNot ? opposite[ofTime] : ofTime
  const seq = seqOf(Math.max(0, wanted === '>' || wanted === '<=' ? at + 1 : at))
  return wanted.startsWith('>') ? { ...all, first: seq } : { ...all, end: seq }
}

/** True also for entries that have no value. */
const not =
  (condition: Condition): Condition =>
  (eb) =>
    sql<SqlBool>`(case when ${condition(eb)} then 1 else 0 end) = 0`

/** One of the values of a column, and none of the negated ones. */
function valueConditions(name: ValueColumn, filters: readonly Filter[]): Condition[] {
  const of = ({ text }: Filter) => conditionsOf[name](text)
  const equal = filters.filter(({ isNot }) => !isNot).map(of)
  const negated = filters.filter(({ isNot }) => isNot).map((one) => not(of(one)))
  return equal.length === 0 ? negated : [(eb) => eb.or(equal.map((one) => one(eb))), ...negated]
}

const compared = (eb: Entries, { by, value }: Filter) =>
  // The outcome of some is unknown.
  eb.and([eb('status', by ?? '=', Number(value)), eb('status', '>', 0)])

const statusConditions = (filters: readonly Filter[]): Condition[] => {
  const of = (one: Filter): Condition =>
    one.isNot ? not((eb) => compared(eb, one)) : (eb) => compared(eb, one)
  const equal = filters.filter(({ isNot, by }) => !isNot && !by)
  const others = filters.filter((one) => !equal.includes(one)).map(of)
  return equal.length === 0 ? others : [(eb) => eb.or(equal.map((one) => of(one)(eb))), ...others]
}

function parameterOf(name: string, text: string): Parameters | undefined {
  if (name === 'operation') return { operation: text }
  if (name === 'actor' && isUuid(text)) return { actor: text }
  if (name === 'object') return isUuid(text) ? { object: text } : { objectName: text }
  return undefined
}

/** The words of the parameter `filter`, which was checked when it was read. */
export function wordsOf(texts: readonly string[], { now, given }: { now: number; given: Parameters }): Words {
  const columns = columnsOf('auditLog')
  const read = texts.map((text) => readFilter(columns, text)).filter((one): one is Filter => !isTrouble(one))
  let parameters: Parameters = {}
  const span = { first: 0, end: Number.MAX_SAFE_INTEGER }
  const conditions: Condition[] = []
  for (const [name, filters] of Map.groupBy(read, (one) => one.name)) {
    const [only, ...more] = filters
    if (name === 'time') {
      for (const { first, end } of filters.map((one) => spanOf(one, now))) {
        span.first = Math.max(span.first, first)
        span.end = Math.min(span.end, end)
      }
      continue
    }
    const parameter = only && !only.isNot && more.length === 0 ? parameterOf(name, only.text) : undefined
    const isFree =
      parameter && Object.keys(parameter).every((key) => given[key as keyof Parameters] === undefined)
    if (isFree) parameters = { ...parameters, ...parameter }
    else
      conditions.push(
        ...(name === 'status' ? statusConditions(filters) : valueConditions(name as ValueColumn, filters)),
      )
  }
  return { parameters, span, conditions }
}
