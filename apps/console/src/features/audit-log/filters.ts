/** The API query of an address of the audit log. */
import { isUuid } from '@purlin/contract/rules/names'
import { pageQuery } from '#/resource/list/paging.ts'
import { defaultSpan, spans, type AuditFilters, type AuditSearch, type Span } from './search.ts'

const hour = 60 * 60_000

/** The span that an address means. */
export const spanOf = ({ last, from, to }: AuditFilters): Span | 'custom' =>
  from === undefined && to === undefined ? (last ?? defaultSpan) : 'custom'

/** The window of time and the filters, as the API takes them. */
export function filtersOf(search: AuditFilters, now: number) {
  const { operation, actor, kind, object, address, agent, result, silo, from, to } = search
  const span = spanOf(search)
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

/** The query of a page of the activity of one resource: all times, and fewer filters. */
export const activityQueryOf = (search: AuditSearch) => {
  const { operation, actor, kind, result } = search
  const { startTime: _, ...filters } = filtersOf({ operation, actor, kind, result }, 0)
  return { ...pageOf(search), ...filters }
}

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
