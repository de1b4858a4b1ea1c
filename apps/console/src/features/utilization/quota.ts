/** The quotas of the silo and their use. */
import { utilizationView } from '@purlin/contract/operations/silos/silos'
import type { Result } from '@purlin/contract/op'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import type { Resource } from '#/features/metrics/usage/history.ts'

export type Utilization = Result<typeof utilizationView>
export type { Resource }

export const utilizationQuery = () => ({ ...query(utilizationView, {}), throwOnError: false })

/** The use and quotas of the silo; undefined as long as they are not known. */
export const useUtilization = (): Utilization | undefined => useQuery(utilizationQuery()).data

/** The amount of one resource that the quota leaves: vCPUs, or bytes. */
const leftInQuota = ({ provisioned, capacity }: Utilization, key: Resource): number =>
  Math.max(0, Number(capacity[key]) - provisioned[key])

/** The free amount of one resource in the silo: what the quota leaves, or the hardware if that has less. */
export const leftOf = (utilization: Utilization, key: Resource): number =>
  Math.min(leftInQuota(utilization, key), roomFor(utilization, key))

const roomFor = ({ placeable }: Utilization, key: Resource): number =>
  (key === 'storage' ? undefined : placeable?.[key]) ?? Infinity

/** True if the hardware has less room than the quota leaves. */
export const isHardwareShort = (utilization: Utilization, key: Resource): boolean =>
  roomFor(utilization, key) < leftInQuota(utilization, key)

/** True if no single sled has as much as an instance needs. */
export const isTooLarge = ({ largest }: Utilization, key: Resource, need: number): boolean =>
  key !== 'storage' && largest !== undefined && need > largest[key]
