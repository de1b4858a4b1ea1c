import { GiB, limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'

/** Throws 400 for vCPU counts and memory sizes outside of the limits. */
export function checkSizes({ ncpus, memory }: { ncpus: number; memory: number }): void {
  const { maxCpus, minCpus, minMemory, maxMemory } = limits.instance
  if (ncpus > maxCpus) throw fault.invalid(`cannot have more than ${maxCpus} vCPUs per instance`)
  if (ncpus < minCpus) throw fault.invalid('an instance needs at least 1 vCPU')
  if (memory < minMemory) throw fault.invalidValue('size', 'memory must be at least 1 GiB')
  if (memory % GiB !== 0) throw fault.invalidValue('size', 'memory must be divisible by 1 GiB')
  if (memory > maxMemory)
    throw fault.invalidValue('size', `memory must be less than or equal to ${maxMemory / GiB} GiB`)
}
