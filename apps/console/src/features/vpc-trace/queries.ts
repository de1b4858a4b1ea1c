/** The queries of the trace tab: the answer, and the names in it. */
import { instanceList } from '@purlin/contract/operations/instances/instances'
import { internetGatewayList } from '@purlin/contract/operations/vpcs/internet-gateways'
import { vpcSubnetListNetworkInterfaces } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { vpcTrace } from '@purlin/contract/operations/vpcs/vpc-trace'
import type { Result } from '@purlin/contract/op'
import { useQueries, useQuery } from '@tanstack/react-query'
import { everyPage } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { routersQuery } from '#/features/vpc-routers/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import type { Choice } from '#/ui/field/choices.tsx'
import { endChoices } from './ends.ts'
import type { questionOf } from './question.ts'

export type Trace = Result<typeof vpcTrace>
export type Step = Trace['steps'][number]

/** The answer to the question of an address, which must be complete. */
export const traceQuery = ({ project, vpc }: VpcTarget, body: NonNullable<ReturnType<typeof questionOf>>) =>
  query(vpcTrace, { params: { vpc }, query: { project }, body })

const instancesQuery = ({ project }: VpcTarget) => everyPage(instanceList, { query: { project } })
const gatewaysQuery = ({ project, vpc }: VpcTarget) =>
  everyPage(internetGatewayList, { query: { project, vpc } })

/** For the loader: what the form offers. */
export const firstReads = (vpc: VpcTarget) => [instancesQuery(vpc), subnetsQuery(vpc.project, vpc.vpc)]

/** The ends to choose from, as far as they have been read. */
export function useEnds(vpc: VpcTarget): { choices: readonly Choice[]; isPending: boolean } {
  const instances = useQuery({ ...instancesQuery(vpc), throwOnError: false })
  const subnets = useQuery({ ...subnetsQuery(vpc.project, vpc.vpc), throwOnError: false })
  const lists = useQueries({
    queries: (subnets.data ?? []).map(({ id }) => ({
      ...everyPage(vpcSubnetListNetworkInterfaces, { params: { subnet: id }, query: {} }),
      throwOnError: false,
    })),
  })
  const isPending = instances.isPending || subnets.isPending || lists.some((list) => list.isPending)
  const nics = lists.flatMap(({ data }) => data ?? [])
  return { choices: endChoices(nics, instances.data ?? []), isPending }
}

/** The names of routers and gateways by id, as far as they have been read. */
export function usePlaces(vpc: VpcTarget): Record<'router' | 'gateway', (id: string) => string | undefined> {
  const routers = useQuery({ ...routersQuery(vpc), throwOnError: false }).data
  const gateways = useQuery({ ...gatewaysQuery(vpc), throwOnError: false }).data
  return {
    router: (id) => routers?.find((one) => one.id === id)?.name,
    gateway: (id) => gateways?.find((one) => one.id === id)?.name,
  }
}
