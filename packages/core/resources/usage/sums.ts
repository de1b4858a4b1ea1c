/**
 * Sums of periods of use, in the database. Each period is two events: an amount is added when it begins, and subtracted when
 * it ends. The sums of the events of each day are enough for all days, so that no period is read once for each day.
 */
import { dayMs, usageLimits } from '@purlin/contract/rules/usage/reports'
import { sql, type Expression } from 'kysely'
import { keysOf } from '@purlin/contract/rules/keys'
import type { Tx, UsagePeriodTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** A silo or a project; the fleet without either. */
export type Scope = Partial<Pick<UsagePeriodTable, 'inSilo' | 'inProject'>>
export interface Amounts {
  cpuSeconds: number
  memoryGibSeconds: number
  storageGibSeconds: number
  addressSeconds: number
}
/** The columns that a report is divided by, in this order. */
export type Part = 'inSilo' | 'inProject' | 'tag'
export interface Question {
  scope: Scope
  /** Whole seconds, in ms; the end is not included. */
  span: { from: number; until: number }
  parts: readonly Part[]
  /** The key of the tag whose values are a part. */
  tag: string | undefined
  byDay: boolean
}

const columnOf = {
  cpuSeconds: 'cpus',
  memoryGibSeconds: 'memoryGib',
  storageGibSeconds: 'storageGib',
  addressSeconds: 'addresses',
} as const satisfies Record<keyof Amounts, keyof UsagePeriodTable>
export const amountNames = keysOf(columnOf)

export const amountsOf = (of: (name: keyof Amounts) => number): Amounts => ({
  cpuSeconds: of('cpuSeconds'),
  memoryGibSeconds: of('memoryGibSeconds'),
  storageGibSeconds: of('storageGibSeconds'),
  addressSeconds: of('addressSeconds'),
})

/** The sums of the events of one day: the use until its end, and the amounts that go on after it. */
export interface DaySum {
  used: Amounts
  lasting: Amounts
}
export interface Group {
  /** The value of each part: of a tag with `=` before it, or empty for resources without the tag. */
  values: readonly string[]
  /** By days since 1970; one at 0 unless the report is by day. */
  days: Map<number, DaySum>
}

/** The groups of a report. Throws 400 for too many. */
export async function groupsOf(tx: Tx, question: Question, now: number): Promise<Group[]> {
  const { from, until } = question.span
  const groups = new Map<string, Group>()
  if (from >= until) return []
  await addTo(groups, { tx, question, ended: null })
  // Some ends at a time, of a day at most: other work runs between the statements.
  for (let after = from; after < now;) {
    const upTo = await endOfSome(tx, question, after)
    await addTo(groups, { tx, question, ended: { after, upTo: upTo < now ? upTo : Number.MAX_SAFE_INTEGER } })
    after = upTo
  }
  return [...groups.values()]
}

/** Ends of periods that one statement reads: 30 ms of work for SQLite. Those of the same second are read together. */
const endsAtOnce = 10_000

/** The time up to which there are this number of ends; a day later if there are fewer. */
async function endOfSome(tx: Tx, { scope }: Question, after: number): Promise<number> {
  const last = await inScope(tx, scope)
    .select('timeEnded')
    .where('timeEnded', '>', after)
    .where('timeEnded', '<=', after + dayMs)
    .orderBy('timeEnded')
    .offset(endsAtOnce - 1)
    .limit(1)
    .executeTakeFirst()
  return last?.timeEnded ?? after + dayMs
}

/** The periods of a silo, of a project or of the fleet. */
function inScope(tx: Tx, { inSilo, inProject }: Scope) {
  const rows = tx.selectFrom('usagePeriod')
  if (inProject !== undefined) return rows.where('inProject', '=', inProject)
  return inSilo === undefined ? rows : rows.where('inSilo', '=', inSilo)
}

/** Periods that ended within some time; null for those that go on. */
type Ended = { after: number; upTo: number } | null
interface Read {
  tx: Tx
  question: Question
  ended: Ended
}

async function addTo(groups: Map<string, Group>, read: Read): Promise<void> {
  const { parts, byDay, span } = read.question
  const days = byDay ? Math.ceil((span.until - span.from) / dayMs) + 1 : 1
  for (const row of await sumsOf(read)) {
    const values = parts.map((part) => String(row[part]))
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, days: new Map<number, DaySum>() }
    groups.set(key, group)
    if (groups.size * days > usageLimits.sums)
      throw fault.invalidValue(
        'by',
        `the report has more than ${usageLimits.sums} sums: divide it into fewer parts, or choose a shorter time`,
      )
    const day = Number(row['day'])
    const before = group.days.get(day)
    const sum = (kind: keyof DaySum) =>
      amountsOf((name) => (before?.[kind][name] ?? 0) + Number(row[`${kind} ${name}`]))
    group.days.set(day, { used: sum('used'), lasting: sum('lasting') })
  }
}

const whole = (value: number) => sql<number>`cast(${value} as bigint)`

/** The beginnings and ends of periods within the span of a report, the beginnings not before it. */
function eventsIn({ tx, question, ended }: Read) {
  const { scope, span } = question
  const { from, until } = span
  let rows = inScope(tx, scope)
    .select(['resourceId', 'timeBegan', 'inSilo', 'inProject'])
    .select(['cpus', 'memoryGib', 'storageGib', 'addresses'])
    .where('timeBegan', '<', until)
  rows = ended
    ? rows.where('timeEnded', '>', ended.after).where('timeEnded', '<=', ended.upTo)
    : rows.where('timeEnded', 'is', null)
  const begun = rows
    .select(
      sql<number>`case when "timeBegan" < ${whole(from)} then ${whole(from)} else "timeBegan" end`.as('at'),
    )
    .select(sql<number>`1`.as('sign'))
  if (ended === null || ended.after >= until) return begun.as('event')
  const over = rows
    .where('timeEnded', '<', until)
    .select(sql<number>`"timeEnded"`.as('at'))
    .select(sql<number>`-1`.as('sign'))
  return begun.unionAll(over).as('event')
}

/** No value is empty, because a resource without the tag has an empty one. */
const tagValue = sql<string>`coalesce('=' || "usageTag"."value", '')`
const partOf = (part: Part) => (part === 'tag' ? tagValue : sql<string>`${sql.ref(`event.${part}`)}`)

/** The sums of events for each group and day. Without days, each event lasts until the end of the span. */
async function sumsOf(read: Read): Promise<Record<string, unknown>[]> {
  const { parts, span, tag, byDay } = read.question
  const until = whole(span.until)
  const day = byDay ? sql<number>`"at" / ${sql.lit(dayMs)}` : sql<number>`0 * "at"`
  const dayEnd = sql<number>`("at" / ${sql.lit(dayMs)} + 1) * ${sql.lit(dayMs)}`
  const end = byDay ? sql<number>`case when ${dayEnd} < ${until} then ${dayEnd} else ${until} end` : until
  const sum = (what: Expression<number>) => sql<number>`cast(sum(${what}) as bigint)`
  const events = read.tx.selectFrom(eventsIn(read))
  const tagged = events.leftJoin('usageTag', (join) =>
    join
      .onRef('usageTag.resourceId', '=', 'event.resourceId')
      .onRef('usageTag.timeBegan', '=', 'event.timeBegan')
      .on('usageTag.key', '=', tag ?? ''),
  )
  // Only the values of a tag are read from it.
  const rows = tag === undefined ? (events as object as typeof tagged) : tagged
  return rows
    .select(parts.map((part) => partOf(part).as(part)))
    .select(day.as('day'))
    .select(
      amountNames.flatMap((name) => {
        const amount = sql<number>`"sign" * ${sql.ref(columnOf[name])}`
        return [
          sum(amount).as(`lasting ${name}`),
          sum(sql`${amount} * ((${end} - "at") / 1000)`).as(`used ${name}`),
        ]
      }),
    )
    .groupBy([...parts.map(partOf), day])
    .limit(usageLimits.sums + 1)
    .execute()
}
