/** The ranges of a pool as screens read and change them: of one with a name, and of the control plane's own. */
import {
  ipPoolRangeAdd,
  ipPoolRangeList,
  ipPoolRangeRemove,
  ipPoolServiceRangeAdd,
  ipPoolServiceRangeList,
  ipPoolServiceRangeRemove,
  ipPoolServiceView,
  ipPoolUtilizationView,
} from '@purlin/contract/operations/addresses/system-ip-pools'
import { everyPage, type Item } from '#/api/everyPage.ts'
import { invalidate, query, type Read } from '#/api/query.ts'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { paths, sections } from '#/lib/addresses.ts'
import type { Bounds } from './ranges.ts'

export type PoolRange = Item<typeof ipPoolRangeList>

/** A pool with what can be done with its ranges. */
export interface RangedPool {
  /** All of them, by first address. */
  ranges: Read<PoolRange[]>
  add: (range: Bounds) => ApiRequest
  remove: (range: Bounds) => ApiRequest
  /** The page of the pool, and the form of a new range over it. */
  href: string
  addHref: string
  /** The consequence of an empty pool. */
  emptyBody: string
  /** The consequence of removing a range. */
  lossOfRange: string
}

export const rangedPool = (pool: string): RangedPool => ({
  ranges: everyPage(ipPoolRangeList, { params: { pool }, query: {} }),
  add: (body) => requestTo(ipPoolRangeAdd, { params: { pool }, body }),
  remove: (body) => requestTo(ipPoolRangeRemove, { params: { pool }, body }),
  href: sections.ipPool.view({ name: pool }),
  addHref: paths.poolRangeAdd(pool),
  emptyBody: 'Silos can take addresses from the pool as soon as it has a range.',
  lossOfRange: 'This fails while addresses of the range are in use.',
})

export const servicePool: RangedPool = {
  ranges: everyPage(ipPoolServiceRangeList, { query: {} }),
  add: (body) => requestTo(ipPoolServiceRangeAdd, { body }),
  remove: (body) => requestTo(ipPoolServiceRangeRemove, { body }),
  href: paths.servicePool,
  addHref: paths.servicePoolRangeAdd,
  emptyBody: 'The control plane has no external addresses until there is a range.',
  lossOfRange: 'The control plane can no longer use its addresses. This fails while any of them is in use.',
}

/** The pool of the control plane itself. */
export const servicePoolQuery = () => query(ipPoolServiceView, {})

/** Reloads what shows the ranges of pools. */
export const rangesChanged = () => invalidate(ipPoolRangeList, ipPoolServiceRangeList, ipPoolUtilizationView)
