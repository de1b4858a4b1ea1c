/** The queries of an instance's page, for its loaders and its components. */
import {
  antiAffinityGroupList,
  antiAffinityGroupMemberList,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/instances/affinity-groups'
import { instanceExternalIpList } from '@purlin/contract/operations/addresses/external-ips'
import { floatingIpList } from '@purlin/contract/operations/addresses/floating-ips'
import { instanceDiskList, instanceView } from '@purlin/contract/operations/instances/instances'
import { instanceNetworkInterfaceList } from '@purlin/contract/operations/vpcs/network-interfaces'
import { instanceReachability } from '@purlin/contract/operations/vpcs/vpc-effects'
import { limits } from '@purlin/contract/rules/limits'
import { diskTransitional } from '@purlin/contract/rules/states'
import { invalidate, prefetch, query, queryClient } from '#/api/query.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { argsOf, type InstanceTarget } from '#/features/instance-state/update.ts'

export const instanceQuery = (target: InstanceTarget) => query(instanceView, argsOf(target))
export const externalIpsQuery = (target: InstanceTarget) => query(instanceExternalIpList, argsOf(target))
/** Whether it reaches the outside and can be reached. */
export const reachabilityQuery = (target: InstanceTarget) => query(instanceReachability, argsOf(target))
export const nicsQuery = (target: InstanceTarget) =>
  query(instanceNetworkInterfaceList, { query: { ...target, limit: limits.instance.nics } })

/** The disks; read again every 2 s while one of them is in a transitional state. */
export const disksQuery = (target: InstanceTarget) => ({
  ...query(instanceDiskList, argsOf(target)),
  refetchInterval: ({ state }: { state: { data?: { items: DiskRow[] } | undefined } }) =>
    state.data?.items.some((disk) => diskTransitional.includes(disk.state.state)) ? 2000 : (false as const),
})
type DiskRow = { state: { state: (typeof diskTransitional)[number] } }

/** Loads the interfaces and the VPC of the primary one, whose name the page shows. */
export async function prefetchNetwork(target: InstanceTarget): Promise<void> {
  const nics = nicsQuery(target)
  await prefetch(nics)
  const primary = queryClient.getQueryData(nics.queryKey)?.items.find((nic) => nic.primary)
  if (primary) await prefetch(viewQuery(kinds.vpc, primary.vpcId))
}

/** Reads again all that the page shows, whatever its tab. */
export const reloadPage = () =>
  invalidate(
    instanceView,
    instanceExternalIpList,
    instanceReachability,
    instanceNetworkInterfaceList,
    floatingIpList,
    instanceDiskList,
    instanceAntiAffinityGroupList,
    antiAffinityGroupList,
    antiAffinityGroupMemberList,
  )
