/** The API query of an address of the audit log. */
import { isUuid } from '@purlin/contract/rules/names'
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

/** The span that an address of a level means. */
export const spanOf = ({ last, from, to }: AuditFilters, level: AuditLevel): Span | 'custom' =>
  from === undefined && to === undefined ? (last ?? usualSpans[level]) : 'custom'

/** The window of time and the filters, as the API takes them. */
export function filtersOf(search: AuditFilters, now: number, level: AuditLevel = 'fleet') {
  const { operation, actor, kind, object, address, agent, result, silo, from, to } = search
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

/** The query of a page of the activity of one resource, which has fewer filters. */
export const activityQueryOf = (search: AuditSearch, now: number) => {
  const { last, from, to, operation, actor, kind, result } = search
  const shown = { last, from, to, operation, actor, kind, result }
  const { startTime, ...filters } = filtersOf(shown, now, 'resource')
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
}: AuditFilters): boolean =>
  [operation, actor, kind, object, address, agent, result, silo].some((one) => one !== undefined)

/** The search without what is undefined. */
export const given = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
