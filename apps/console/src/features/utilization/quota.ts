/** The quotas of the silo and their use. */
import { utilizationView } from '@purlin/contract/operations/silos/silos'
import { siloUtilizationView } from '@purlin/contract/operations/silos/system-silos'
import type { Result } from '@purlin/contract/op'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { formatSize } from '#/lib/format.ts'
import type { Resource } from '#/features/metrics/usage/history.ts'
import type { Limits } from '#/features/metrics/usage/UsageCharts.tsx'

export type Utilization = Result<typeof utilizationView>
export type { Resource }

export const utilizationQuery = () => ({ ...query(utilizationView, { query: {} }), throwOnError: false })

/** The same with how long the quotas last. */
export const ownTrendsQuery = () => ({
  ...query(utilizationView, { query: { trends: true } }),
  throwOnError: false,
})

/** The use and quotas of the silo; undefined as long as they are not known. */
export const useUtilization = (): Utilization | undefined => useQuery(utilizationQuery()).data

/** The use and quotas of any silo, for operators. */
export const siloUseQuery = (silo: string) => ({
  ...query(siloUtilizationView, { params: { silo }, query: {} }),
  select: (use: Result<typeof siloUtilizationView>): Utilization => ({ ...use, capacity: use.allocated }),
  throwOnError: false,
})

/** How long the quotas of a silo last. */
export const trendsQuery = (silo: string) => ({
  ...query(siloUtilizationView, { params: { silo }, query: { trends: true } }),
  throwOnError: false,
})

/** Quotas as lines of charts. */
export const limitsOf = ({ cpus, memory, storage }: Utilization['capacity']): Required<Limits> => ({
  cpus: Number(cpus),
  memory: Number(memory),
  storage: Number(storage),
})

/** The amount of one resource that the quota leaves: vCPUs, or bytes. */
export const leftInQuota = ({ provisioned, capacity }: Utilization, key: Resource): number =>
  Math.max(0, Number(capacity[key]) - provisioned[key])

/** The free amount of one resource in the silo: what the quota leaves, or the hardware if that has less. */
export const leftOf = (utilization: Utilization, key: Resource): number =>
  Math.min(leftInQuota(utilization, key), roomFor(utilization, key))

const roomFor = ({ placeable }: Utilization, key: Resource): number => placeable?.[key] ?? Infinity

/** True if the hardware has less room than the quota leaves. */
export const isHardwareShort = (utilization: Utilization, key: Resource): boolean =>
  roomFor(utilization, key) < leftInQuota(utilization, key)

/** The amount as texts have it: '12 vCPUs', '3 GiB of memory'. */
export const amountOf = (key: Resource, amount: number): string =>
  key === 'cpus'
    ? `${amount.toLocaleString()} ${amount === 1 ? 'vCPU' : 'vCPUs'}`
    : `${formatSize(amount)} of ${key}`

/** The free amount in words, with the limit that it comes from: the quota or the hardware. */
export const leftText = (utilization: Utilization, key: Resource): string =>
  isHardwareShort(utilization, key)
    ? `The hardware has ${amountOf(key, leftOf(utilization, key))} free. The quota leaves ${amountOf(key, leftInQuota(utilization, key))}.`
    : `The quota leaves ${amountOf(key, leftOf(utilization, key))}.`

/** Bytes of storage that are about to be used, in addition to what is planned for the same request. */
export interface StorageUse {
  needed?: number | undefined
  planned?: number
}

/** The free storage in words. `lack` is the limit that has less than is needed: only the quota is a reason for a refusal. */
export function storageLeft(
  use: Utilization,
  { needed = 0, planned = 0 }: StorageUse,
): { text: string; lack: 'quota' | 'hardware' | undefined } {
  const { provisioned, placeable } = use
  const rest: Utilization = {
    ...use,
    provisioned: { ...provisioned, storage: provisioned.storage + planned },
    ...(placeable?.storage === undefined
      ? {}
      : { placeable: { ...placeable, storage: Math.max(0, placeable.storage - planned) } }),
  }
  const text = leftText(rest, 'storage')
  if (needed > leftInQuota(rest, 'storage')) return { text, lack: 'quota' }
  if (needed > leftOf(rest, 'storage')) return { text: `${text} ${beyondHardware}`, lack: 'hardware' }
  return { text, lack: undefined }
}

/** Disks take room when guests write, so that the hardware refuses none. */
export const beyondHardware = 'Guests get write errors once the hardware is full.'

/** The used and the free amount in one line: '12 of 64 vCPUs, 52 free'. */
export function usageText(utilization: Utilization, key: Resource): string {
  const { provisioned, capacity } = utilization
  const quota = Number(capacity[key])
  if (quota === 0 && provisioned[key] === 0) return 'no quota'
  const show = (amount: number) => (key === 'cpus' ? amount.toLocaleString() : formatSize(amount))
  const unit = key === 'cpus' ? ' vCPUs' : ''
  return `${show(provisioned[key])} of ${show(quota)}${unit}, ${show(leftOf(utilization, key))} free`
}

/** Storage that is about to be used: `The upload needs 2 GiB of storage for a temporary disk`. */
interface StorageNeed {
  needed: number
  of: string
  content: string
}

/** Why the quota is not enough, or undefined. */
export function shortStorage(
  utilization: Utilization,
  { needed, of, content }: StorageNeed,
): string | undefined {
  const free = leftInQuota(utilization, 'storage')
  if (needed <= free) return undefined
  return `The ${of} needs ${formatSize(needed)} of storage for ${content}, but only ${formatSize(free)} of the silo’s quota is free. Delete unused disks or snapshots, or ask an operator for a larger quota.`
}

/** How many more instances of a size can start; undefined while that is not known. */
export function useFits({ cpus, memory }: { cpus: number; memory: number }): number | undefined {
  const isSize = Number.isInteger(cpus) && cpus > 0 && Number.isInteger(memory) && memory > 0
  const { data } = useQuery({
    ...query(utilizationView, { query: { ncpus: cpus, memory } }),
    enabled: isSize,
    placeholderData: keepPreviousData,
    throwOnError: false,
  })
  return isSize ? data?.fits : undefined
}

/** True if no single sled has as much as an instance needs. */
export const isTooLarge = ({ largest }: Utilization, key: Resource, need: number): boolean =>
  key !== 'storage' && largest !== undefined && need > largest[key]
