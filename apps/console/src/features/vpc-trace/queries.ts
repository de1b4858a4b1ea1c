/** The queries of the trace tab: the answer, and the ends to choose from. */
import { instanceList } from '@purlin/contract/operations/instances/instances'
import { vpcSubnetListNetworkInterfaces } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { vpcTrace } from '@purlin/contract/operations/vpcs/vpc-trace'
import { useQueries, useQuery } from '@tanstack/react-query'
import { everyPage } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import type { Choice } from '#/ui/field/choices.tsx'
import { endChoices } from './ends.ts'
import type { questionOf } from './question.ts'

/** The answer to the question of an address, which must be complete. */
export const traceQuery = ({ project, vpc }: VpcTarget, body: NonNullable<ReturnType<typeof questionOf>>) =>
  query(vpcTrace, { params: { vpc }, query: { project }, body })

const instancesQuery = ({ project }: VpcTarget) => everyPage(instanceList, { query: { project } })

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
