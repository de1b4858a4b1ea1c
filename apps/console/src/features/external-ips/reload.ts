import { instanceExternalIpList } from '@purlin/contract/operations/external-ips'
import { instanceList } from '@purlin/contract/operations/instances'
import { instanceReachability } from '@purlin/contract/operations/vpc-effects'
import { invalidate } from '#/api/query.ts'

/** What external IPs instances have is stale: of each, in lists that have them, and what they reach by them. */
export const reloadAddresses = (...more: Parameters<typeof invalidate>): Promise<unknown> =>
  invalidate(instanceList, instanceExternalIpList, instanceReachability, ...more)
