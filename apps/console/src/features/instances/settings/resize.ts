import { GiB, limits } from '@purlin/contract/rules/limits'
import { validateBetween } from '#/lib/input/validate.ts'

/** The size of an instance as its form holds it. */
export interface SizeForm {
  ncpus: number
  /** GiB */
  memory: number
}
/** The size of an instance as the wire has it, memory in bytes. */
export interface InstanceSize {
  ncpus: number
  memory: number
}

const { minCpus, maxCpus, minMemory, maxMemory } = limits.instance

/** The problem with a number of vCPUs. */
export const cpuProblem = (count: number): string | undefined =>
  validateBetween({ min: minCpus, unit: 'vCPU' })(count) ?? validateBetween({ max: maxCpus })(count)

/** The problem with an amount of memory in GiB. */
export const memoryProblem = validateBetween({ min: minMemory / GiB, max: maxMemory / GiB, unit: 'GiB' })

export const sizeToForm = ({ ncpus, memory }: InstanceSize): SizeForm => ({ ncpus, memory: memory / GiB })

/** The changes of a form to the shown size. Untouched values are not sent, so that other users may change them. */
export function sizeChanges(form: SizeForm, shown: InstanceSize): Partial<InstanceSize> {
  const memory = form.memory * GiB
  return {
    ...(form.ncpus === shown.ncpus ? {} : { ncpus: form.ncpus }),
    ...(memory === shown.memory ? {} : { memory }),
  }
}
