import { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import { instanceList, instanceListOfSilo } from '@purlin/contract/operations/instances/instances'
import { instanceReachability } from '@purlin/contract/operations/vpcs/vpc-effects'
import { invalidate } from '#/api/query.ts'

/** Marks the external IPs of instances as stale: of each, in lists, and the reachability by them. */
export const reloadAddresses = (...more: Parameters<typeof invalidate>): Promise<unknown> =>
  invalidate(instanceList, instanceListOfSilo, instanceExternalIpList, instanceReachability, ...more)
