/**
 * The search parameters of the audit log's pages. The tree of routes loads this file with every page: it imports no
 * form code.
 */
import { keysOf } from '@purlin/contract/rules/keys'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'

export const results = ['success', 'error', 'unknown'] as const
/** Times up to now, in hours. */
export const spans = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24, all: Infinity } as const
export type Span = keyof typeof spans
/** The spans that pages show unless their address names one: few entries are about one resource. */
export const usualSpans = { fleet: '7d', silo: '7d', resource: 'all' } as const
export type AuditLevel = keyof typeof usualSpans

export interface AuditFilters {
  /** Up to now; the usual span unless given. */
  last?: Span | undefined
  /** Two times in place of it, RFC 3339. */
  from?: string | undefined
  to?: string | undefined
  operation?: string | undefined
  /** id of a user */
  actor?: string | undefined
  /** type of something: `vpc-subnet` */
  kind?: string | undefined
  /** id or name of something */
  object?: string | undefined
  address?: string | undefined
  agent?: string | undefined
  result?: (typeof results)[number] | undefined
  /** Operators: name or id */
  silo?: string | undefined
  /** further words: `-operation:login_local,status:>=500` */
  filter?: string
}
export interface AuditSearch extends PagingSearch, AuditFilters {
  /** id of the entry that is shown in full, and when it was completed, RFC 3339 */
  entry?: string | undefined
  time?: string | undefined
  live?: true | undefined
}

const longest = 256
// The reader of addresses makes other values of some words.
const textOf = (value: unknown): string | undefined =>
  ['string', 'boolean', 'number'].includes(typeof value) && String(value).trim() !== ''
    ? String(value).trim().slice(0, longest)
    : undefined
const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined

const readers = {
  operation: textOf,
  actor: textOf,
  kind: textOf,
  object: textOf,
  address: textOf,
  agent: textOf,
  silo: textOf,
  entry: textOf,
  from: timeOf,
  to: timeOf,
  time: timeOf,
}

/** `validateSearch` of the pages of a level: what they do not know is left out. */
const searchOf =
  (level: AuditLevel) =>
  (search: Record<string, unknown>): AuditSearch => {
    const { size, page, filter } = pagingSearch(search)
    const span = keysOf(spans).find((one) => one === search['last'])
    const result = results.find((one) => one === search['result'])
    return {
      ...(size === undefined ? {} : { size }),
      ...(page === undefined ? {} : { page }),
      ...(filter === undefined ? {} : { filter }),
      ...(span === undefined || span === usualSpans[level] ? {} : { last: span }),
      ...Object.fromEntries(
        keysOf(readers).flatMap((key) => {
          const text = readers[key](search[key])
          return text === undefined ? [] : [[key, text]]
        }),
      ),
      ...(result ? { result } : {}),
      ...(String(search['live']) === 'true' ? { live: true } : {}),
    }
  }

export const auditSearch = searchOf('fleet')
/** Of the pages of one resource. */
export const activitySearch = searchOf('resource')
