/** The API query of an address of the audit log. */
import { isUuid } from '@purlin/contract/rules/names'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { isTrouble, readFilter } from '@purlin/contract/rules/query/filter'
import { splitFilters } from '@purlin/contract/rules/query/query'
import { pageQuery } from '#/resource/list/paging.ts'
import {
  spans,
  usualSpans,
  type AuditFilters,
  type AuditLevel,
  type AuditSearch,
  type Span,
} from './search.ts'

const hour = 60 * 60_000

/** The columns that are typed, by the level of a page. */
export const listOf = { fleet: 'auditLog', silo: 'auditLog', resource: 'activity' } as const satisfies Record<
  AuditLevel,
  string
>

/** The span that an address of a level means. */
export function spanOf({ last, from, to, filter = '' }: AuditFilters, level: AuditLevel): Span | 'custom' {
  if (from !== undefined || to !== undefined) return 'custom'
  // A time that is typed is the only one.
  return last ?? (splitFilters(filter).some((one) => /^-?time:/.test(one)) ? 'all' : usualSpans[level])
}

/** The window of time and the filters, as the API takes them. */
export function filtersOf(search: AuditFilters, now: number, level: AuditLevel = 'fleet') {
  const { operation, actor, kind, object, address, agent, result, silo, from, to } = search
  const columns = columnsOf(listOf[level])
  // A word that the log does not know is left out.
  const filter = splitFilters(search.filter ?? '').filter((one) => !isTrouble(readFilter(columns, one)))
  const span = spanOf(search, level)
  const hours = span === 'custom' ? Infinity : spans[span]
  // From the beginning of a minute on, so that what was read is known again.
  const minute = Math.floor(now / 60_000) * 60_000
  const start = from === undefined ? (hours === Infinity ? 0 : minute - hours * hour) : Date.parse(from)
  return {
    startTime: new Date(start),
    ...(to === undefined ? {} : { endTime: new Date(to) }),
    ...(operation === undefined ? {} : { operation }),
    ...(actor === undefined ? {} : { actor }),
    ...(kind === undefined ? {} : { objectType: kind }),
    ...(object === undefined ? {} : isUuid(object) ? { object } : { objectName: object }),
    ...(address === undefined ? {} : { sourceIp: address }),
    ...(agent === undefined ? {} : { userAgent: agent }),
    ...(result === undefined ? {} : { result }),
    ...(silo === undefined ? {} : { silo }),
    ...(filter.length === 0 ? {} : { filter }),
  }
}

const pageOf = (search: AuditSearch) => {
  const { limit, pageToken } = { pageToken: undefined, ...pageQuery(search) }
  return { limit, ...(pageToken === undefined ? {} : { pageToken }) }
}

/** The query of the page that an address gives, newest entries first. */
export const auditQuery = (search: AuditSearch, now: number) => ({
  ...pageOf(search),
  sortBy: 'time_and_id_descending' as const,
  ...filtersOf(search, now),
})

/** The filters that the activity of one resource has: fewer than the log. */
export const activityFilters = (search: AuditSearch): AuditFilters => {
  const { last, from, to, operation, actor, kind, result, filter } = search
  return { last, from, to, operation, actor, kind, result, ...(filter === undefined ? {} : { filter }) }
}

/** The query of a page of that activity. */
export const activityQueryOf = (search: AuditSearch, now: number) => {
  const { startTime, ...filters } = filtersOf(activityFilters(search), now, 'resource')
  return { ...pageOf(search), ...filters, ...(startTime.getTime() === 0 ? {} : { startTime }) }
}

/** The part of an address that shows only the entries that were completed between two times, in ms since 1970. */
export const betweenTimes = (first: number, last: number) => ({
  from: new Date(first).toISOString(),
  // A period excludes its end.
  to: new Date(last + 1).toISOString(),
})

/** The part of an address that opens an entry. */
export const opening = ({ id, timeCompleted }: { id: string; timeCompleted: Date }) => ({
  entry: id,
  time: timeCompleted.toISOString(),
})

/** The search without what is undefined, as the text of an address. */
export const textOf = (search: AuditSearch): string =>
  new URLSearchParams(Object.entries(given(search)).map(([key, value]) => [key, String(value)])).toString()

/** The current address with another search. */
export const hrefOf = (search: AuditSearch): string => `${window.location.pathname}?${textOf(search)}`

/** True if something narrows the entries down besides the time. */
export const isFiltered = ({
  operation,
  actor,
  kind,
  object,
  address,
  agent,
  result,
  silo,
  filter,
}: AuditFilters): boolean =>
  [operation, actor, kind, object, address, agent, result, silo, filter].some((one) => one !== undefined)

/** The search without what is undefined. */
export const given = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
