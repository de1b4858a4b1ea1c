/** A path, and the names in it. */
import type { vpcTrace } from '@purlin/contract/operations/vpcs/vpc-trace'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { gatewaysQuery, routersQuery } from '#/features/vpc-names/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Trace = Result<typeof vpcTrace>
export type Step = Trace['steps'][number]

/** The names of routers and gateways by id, as far as they have been read. */
export function usePlaces(vpc: VpcTarget): Record<'router' | 'gateway', (id: string) => string | undefined> {
  const routers = useQuery({ ...routersQuery(vpc), throwOnError: false }).data
  const gateways = useQuery({ ...gatewaysQuery(vpc), throwOnError: false }).data
  return {
    router: (id) => routers?.find((one) => one.id === id)?.name,
    gateway: (id) => gateways?.find((one) => one.id === id)?.name,
  }
}
