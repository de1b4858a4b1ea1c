/** The address of a report: its time and parts. The usual values are left out. */
import { isOneOf } from '@purlin/contract/rules/keys'
import type { UsageGrouping } from '@purlin/contract/rules/usage/reports'
import { rangeSearch, type RangeSearch } from '#/features/metrics/range/range.ts'

/** The report of the silo of the user, of a project, or of the fleet. */
export type Subject =
  | { level: 'silo' }
  | { level: 'project'; project: string }
  | { level: 'fleet'; silo?: string }

/** The level whose divisions a report has: one silo of the fleet is divided as its own report is. */
const levelOf = (subject: { level: Subject['level']; silo?: unknown }): Subject['level'] =>
  subject.level === 'fleet' && subject.silo !== undefined ? 'silo' : subject.level

/** Times in whole days of UTC: those with `months` begin with a month, the others end with today. */
export const periods = {
  week: { label: 'Last 7 days', days: 7 },
  month: { label: 'Last 30 days', days: 30 },
  quarter: { label: 'Last 90 days', days: 90 },
  'this-month': { label: 'This month', months: 0 },
  'last-month': { label: 'Last month', months: 1 },
} as const
export type Period = keyof typeof periods
const periodNames = Object.keys(periods) as Period[]
export const usualPeriod: Period = 'month'

/** How the table of a report is divided: by the values of a tag, or by silo, project or day. */
export type Division = UsageGrouping | 'tag'
const divisions = { silo: 'Silo', project: 'Project', tag: 'Tag', day: 'Day' } as const
const divisionsOf: Record<Subject['level'], readonly Division[]> = {
  fleet: ['silo', 'project', 'tag', 'day'],
  silo: ['project', 'tag', 'day'],
  project: ['day', 'tag'],
}
export const usualDivision = (subject: Subject): Division => divisionsOf[levelOf(subject)][0] ?? 'day'
export const divisionItems = (subject: Subject) =>
  divisionsOf[levelOf(subject)].map((value) => ({ value, label: divisions[value] }))

/** The search of such an address. */
export interface ReportSearch extends Omit<RangeSearch, 'range'> {
  period?: Period
  by?: Division
  tag?: string
  /** One silo of the fleet, by name or id. */
  silo?: string
}

/** `validateSearch` of a report of this level. */
export const reportSearch =
  (level: Subject['level']) =>
  (search: Record<string, unknown>): ReportSearch => {
    const { period, by, tag } = search
    const silo = level === 'fleet' && typeof search['silo'] === 'string' ? search['silo'] : undefined
    const offered = divisionsOf[levelOf({ level, silo })]
    const { start, end } = rangeSearch(search)
    const isUsual = !isOneOf(offered, by) || by === offered[0]
    return {
      ...(isOneOf(periodNames, period) && period !== usualPeriod ? { period } : {}),
      ...(start !== undefined && end !== undefined ? { start, end } : {}),
      ...(isUsual ? {} : { by }),
      // Checked by the report: the rule about keys is code of forms, which this would add to every page.
      ...(typeof tag === 'string' ? { tag } : {}),
      ...(silo === undefined ? {} : { silo }),
    }
  }
