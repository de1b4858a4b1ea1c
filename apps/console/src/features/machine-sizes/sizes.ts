/** The sizes that forms offer for instances, and which sizes there can be. */
import {
  offeredMachineSizeList,
  type machineSizeView,
} from '@purlin/contract/operations/instances/machine-sizes'
import type { Result } from '@purlin/contract/op'
import { GiB, limits } from '@purlin/contract/rules/limits'
import { useQuery } from '@tanstack/react-query'
import { everyPage } from '#/api/everyPage.ts'
import { validateBetween } from '#/lib/input/validate.ts'

export type MachineSize = Result<typeof machineSizeView>
/** The part of a size that instances have. */
export type Amounts = Pick<MachineSize, 'ncpus' | 'memory'>

const { minCpus, maxCpus, minMemory, maxMemory } = limits.instance

/** The problem with a number of vCPUs. */
export const cpuProblem = (count: number): string | undefined =>
  validateBetween({ min: minCpus, unit: 'vCPU' })(count) ?? validateBetween({ max: maxCpus })(count)

/** The problem with an amount of memory in GiB. */
export const memoryProblem = validateBetween({ min: minMemory / GiB, max: maxMemory / GiB, unit: 'GiB' })

/** The sizes that are offered in the silo. Forms work without them, and with servers that have none. */
export const offeredSizes = () => ({
  ...everyPage(offeredMachineSizeList, { query: {} }),
  throwOnError: false,
})

/** The same, the smallest first; empty as long as they are not known. */
export function useOfferedSizes(): readonly MachineSize[] {
  return useQuery({ ...offeredSizes(), select: inOrder }).data ?? []
}

const inOrder = (sizes: readonly MachineSize[]) =>
  sizes.toSorted((a, b) => a.ncpus - b.ncpus || a.memory - b.memory || a.name.localeCompare(b.name))

/** The offered size of an instance. */
export const sizeOfAmounts = (
  sizes: readonly MachineSize[],
  { ncpus, memory }: Amounts,
): MachineSize | undefined => sizes.find((size) => size.ncpus === ncpus && size.memory === memory)
