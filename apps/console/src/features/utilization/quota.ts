/** What the silo may use and uses. */
import { utilizationView } from '@purlin/contract/operations/silos/silos'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'

export type Utilization = Result<typeof utilizationView>
export type Resource = 'cpus' | 'memory' | 'storage'

export const utilizationQuery = () => ({ ...query(utilizationView, {}), throwOnError: false })

/** What the silo uses and may use; undefined as long as that is not known. */
export const useUtilization = (): Utilization | undefined => useQuery(utilizationQuery()).data

/** What the silo has left of one resource: vCPUs, or bytes. */
export const leftOf = ({ provisioned, capacity }: Utilization, key: Resource): number =>
  Math.max(0, Number(capacity[key]) - provisioned[key])
