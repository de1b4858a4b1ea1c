/** The quotas of the silo and their use. */
import { utilizationView } from '@purlin/contract/operations/silos/silos'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'

export type Utilization = Result<typeof utilizationView>
export type Resource = 'cpus' | 'memory' | 'storage'

export const utilizationQuery = () => ({ ...query(utilizationView, {}), throwOnError: false })

/** The use and quotas of the silo; undefined as long as they are not known. */
export const useUtilization = (): Utilization | undefined => useQuery(utilizationQuery()).data

/** The free amount of one resource in the silo: vCPUs, or bytes. */
export const leftOf = ({ provisioned, capacity }: Utilization, key: Resource): number =>
  Math.max(0, Number(capacity[key]) - provisioned[key])
