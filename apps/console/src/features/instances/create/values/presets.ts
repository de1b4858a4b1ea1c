/** The offered sizes of instances, grouped by tab: by the memory that each vCPU has. */
import { GiB } from '@purlin/contract/rules/limits'
import type { Amounts, MachineSize } from '#/features/machine-sizes/sizes.ts'

const families = [
  {
    value: 'general',
    label: 'General Purpose',
    hint: 'A balance that suits most work.',
    has: (perCpu: number) => perCpu > 2 && perCpu < 8,
  },
  {
    value: 'cpu',
    label: 'High CPU',
    hint: 'More vCPUs per memory: builds, encoding, batch jobs.',
    has: (perCpu: number) => perCpu <= 2,
  },
  {
    value: 'memory',
    label: 'High Memory',
    hint: 'More memory per vCPU: databases and caches.',
    has: (perCpu: number) => perCpu >= 8,
  },
] as const

export type HardwareTab = (typeof families)[number]['value'] | 'custom'
export interface Family {
  value: HardwareTab
  label: string
  hint: string
  sizes: readonly MachineSize[]
}

/** The groups that have sizes. Of several sizes with the same amounts, the first is offered. */
export const familiesOf = (sizes: readonly MachineSize[]): Family[] =>
  families
    .map(({ has, ...family }) => ({
      ...family,
      sizes: sizes.filter(
        (size, at) =>
          has(size.memory / GiB / size.ncpus) &&
          sizes.findIndex((other) => presetId(other) === presetId(size)) === at,
      ),
    }))
    .filter((family) => family.sizes.length > 0)

/** The form value of a preset: '4x16' is 4 vCPUs and 16 GiB. */
export const presetId = ({ ncpus, memory }: Amounts): string => `${ncpus}x${memory / GiB}`
/** The size that a form value stands for: vCPUs, and memory in GiB. */
export function sizeOfPreset(preset: string) {
  const [cpus = NaN, memoryGiB = NaN] = preset.split('x').map(Number)
  return { cpus, memoryGiB }
}

/** The tab of a form, and the preset that is selected in it. */
interface Chosen {
  hardware: HardwareTab
  preset: string
}

/** The first preset of a group: an own size without one. */
export const firstOf = (family: Family | undefined): Chosen => ({
  hardware: family?.value ?? 'custom',
  preset: family?.sizes.slice(0, 1).map(presetId).join('') ?? '',
})

/** The preset with these amounts: an own size without one. */
export function presetOf(sizes: readonly MachineSize[], amounts: Amounts): Chosen {
  const preset = presetId(amounts)
  const family = familiesOf(sizes).find((one) => one.sizes.some((size) => presetId(size) === preset))
  return family ? { hardware: family.value, preset } : { hardware: 'custom', preset: '' }
}
