import type { ipPoolList } from '@purlin/contract/operations/addresses/system-ip-pools'
import { queryClient } from '#/api/query.ts'
import type { Item } from '#/api/everyPage.ts'
import { guides } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { utilizationQuery } from './operatorQueries.ts'

/** Explains pools, next to the title of their screens. */
export const poolDocs = {
  summary:
    'An IP pool is a set of ranges of external addresses. Instances and floating IPs of the silos that it is linked to get their addresses from it. The default pool of a silo is used where none is named.',
  links: [guides.ipPools],
}

interface PageOfPool {
  isFilled?: (pool: Item<typeof ipPoolList>) => boolean
  leave?: () => unknown
}

const hasRanges = 'IP pool cannot be deleted while it contains IP ranges'

/** Whether a pool of the list has addresses, as far as that has been read. */
const hasAddresses = ({ id }: Item<typeof ipPoolList>): boolean =>
  (queryClient.getQueryData(utilizationQuery(id).queryKey)?.capacity ?? 0) > 0

/** Actions on a pool. Its page says whether it has ranges, and how to leave it when the pool is deleted. */
export const poolActions = ({ isFilled = hasAddresses, leave }: PageOfPool = {}) =>
  plainActions(kinds.ipPool, undefined, {
    disabledReason: (pool) => (isFilled(pool) ? hasRanges : undefined),
    note: () => 'Its links to silos are removed with it.',
    typeToConfirm: ({ name }) => name,
    leave,
  })
