/** Values of declared fields as texts, and what was added to a list or removed from it. */
import type { RecordedForm } from '@purlin/contract/kinds/kind'
import { countOf, kinds, pluralOf } from '@purlin/contract/rules/kinds'
import { keysOf } from '@purlin/contract/rules/keys'
import { limits } from '@purlin/contract/rules/limits'
import { timeOfMinute, weekdays, type TimeRule } from '@purlin/contract/rules/time/next-run'
import { retentionClasses, type Retention } from '@purlin/contract/rules/time/retention'
import type { FieldChange } from '#/context.ts'
import { rowsOf } from '#/db/kinds.ts'
import type { RouterRouteTable, ScheduleTable, Tx } from '#/db/tables.ts'

/** `a, b and 3 more`, as long as a value may be. */
export function namesText(names: readonly string[]): string {
  // Room for the number of the others.
  const most = limits.audit.value - 20
  let shown = 0
  for (let length = 0; shown < names.length; shown += 1) {
    length += (names[shown]?.length ?? 0) + 2
    if (length > most && shown > 0) break
  }
  const text = names.slice(0, shown).join(', ')
  return shown < names.length ? `${text} and ${names.length - shown} more` : text
}

/** The changes of a list: one of what was added, and one of what was removed. */
export function listChanges(
  field: string,
  before: readonly string[],
  after: readonly string[],
): FieldChange[] {
  const [was, is] = [new Set(before), new Set(after)]
  const added = after.filter((one) => !was.has(one))
  const removed = before.filter((one) => !is.has(one))
  return [
    ...(added.length > 0 ? [{ field: `${field}_added`, before: null, after: namesText(added) }] : []),
    ...(removed.length > 0 ? [{ field: `${field}_removed`, before: namesText(removed), after: null }] : []),
  ]
}

/** The change of entries of a list that kept their names; none without one. */
export const entriesChanged = (field: string, names: readonly string[]): FieldChange[] =>
  names.length > 0 ? [{ field: `${field}_changed`, before: null, after: namesText(names) }] : []

/** `10.0.0.0/8`, `subnet web`, `drop` */
function endText(json: string): string {
  const { type, value } = JSON.parse(json) as { type: string; value?: string }
  if (value === undefined) return type
  return type === 'ip' || type === 'ip_net' ? value : `${type.replaceAll('_', ' ')} ${value}`
}

/** `every day at 18:30 Europe/Berlin` */
function timesText({ ruleJson, timeZone }: ScheduleTable): string {
  const rule = JSON.parse(ruleJson) as TimeRule
  if (rule.type === 'hours')
    return rule.hours === 1 ? 'every hour' : `every ${countOf(rule.hours, 'hour')} ${timeZone}`
  return `${daysText(rule)} at ${timeOfMinute(rule.minute)} ${timeZone}`
}

function daysText(rule: Exclude<TimeRule, { type: 'hours' }>): string {
  switch (rule.type) {
    case 'daily':
      return 'every day'
    case 'weekly':
      return rule.days.map((day) => weekdays[day]).join(', ')
    case 'monthly':
      return `day ${rule.day} of each month`
  }
}

/** `24 hourly, 7 daily` */
function keepText(json: string): string {
  const keep = JSON.parse(json) as Retention
  return keysOf(retentionClasses)
    .filter((one) => keep[one] > 0)
    .map((one) => `${keep[one]} ${one}`)
    .join(', ')
}

/** `instances with the tag env=prod`, `web-01, web-02` */
async function targetsText(tx: Tx, row: ScheduleTable): Promise<string> {
  const kind = row.disksJson === null && row.diskTag === null ? 'instance' : 'disk'
  const tag = row.tag ?? row.diskTag
  if (tag !== null) return `${pluralOf(kinds[kind].noun)} with the tag ${tag}`
  const ids = JSON.parse(row.disksJson ?? row.instancesJson ?? '[]') as string[]
  const rows = await rowsOf(tx, kind).select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return namesText(ids.map((id) => names.get(id) ?? id))
}

/** The texts of values, by their form. */
export const textOf = {
  routeEnd: (_, row, column) => endText((row as RouterRouteTable)[column as 'targetJson']),
  times: (_, row) => timesText(row as ScheduleTable),
  keep: (_, row) => {
    const { keepJson } = row as ScheduleTable
    return keepJson === null ? null : keepText(keepJson)
  },
  targets: (tx, row) => targetsText(tx, row as ScheduleTable),
  paused: (_, row) => String((row as ScheduleTable).timeDue === null),
} as const satisfies Record<
  RecordedForm,
  (tx: Tx, row: object, column: string) => string | null | Promise<string | null>
>
