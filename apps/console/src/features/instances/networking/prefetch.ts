import { prefetch, queryClient } from '#/api/query.ts'
import { freeFloatingIpsQuery } from '#/features/floating-ips/useFreeFloatingIps.ts'
import {
  externalIpsQuery,
  nicsQuery,
  prefetchNetwork,
  reachabilityQuery,
} from '#/features/instances/queries.ts'
import { poolsQuery } from '#/features/ip-pools/queries.ts'
import { vpcsQuery } from '#/features/vpc-names/queries.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { networks } from '#/resource/networks.ts'
import { pickerQuery } from '#/resource/form/usePicker.ts'

/** Loads what the Networking tab shows and offers. */
export const prefetchNetworking = (target: InstanceTarget) =>
  Promise.all([
    prefetch(
      externalIpsQuery(target),
      reachabilityQuery(target),
      poolsQuery(),
      freeFloatingIpsQuery(target.project),
      vpcsQuery(target.project),
      pickerQuery(kinds.vpc, { scope: { project: target.project } }),
    ),
    prefetchNetwork(target).then(() => {
      const nics = queryClient.getQueryData(nicsQuery(target).queryKey)?.items ?? []
      return prefetch(...nics.map(({ subnetId }) => viewQuery(networks.vpcSubnet, subnetId)))
    }),
  ])
