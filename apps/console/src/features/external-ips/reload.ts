import { instanceExternalIpList } from '@purlin/contract/operations/external-ips'
import { instanceList } from '@purlin/contract/operations/instances'
import { invalidate } from '#/api/query.ts'

/** What external IPs instances have is stale: of each, and in lists that have them. */
export const reloadAddresses = (...more: Parameters<typeof invalidate>): Promise<unknown> =>
  invalidate(instanceList, instanceExternalIpList, ...more)
