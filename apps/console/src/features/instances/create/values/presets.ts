/** The preset sizes of instances, grouped by tab. */

export interface Size {
  cpus: number
  memoryGiB: number
}
interface Family {
  value: string
  label: string
  hint: string
  sizes: readonly Size[]
}

const size = (cpus: number, memoryGiB: number): Size => ({ cpus, memoryGiB })

export const families = [
  {
    value: 'general',
    label: 'General Purpose',
    hint: 'A balance that suits most work.',
    sizes: [size(2, 8), size(4, 16), size(8, 32), size(16, 64)],
  },
  {
    value: 'cpu',
    label: 'High CPU',
    hint: 'More vCPUs per memory: builds, encoding, batch jobs.',
    sizes: [size(2, 4), size(4, 8), size(8, 16), size(16, 32)],
  },
  {
    value: 'memory',
    label: 'High Memory',
    hint: 'More memory per vCPU: databases and caches.',
    sizes: [size(2, 16), size(4, 32), size(8, 64), size(16, 128)],
  },
] as const satisfies readonly Family[]

export type FamilyName = (typeof families)[number]['value']
export const hardwareTabs = [...families, { value: 'custom', label: 'Custom' }] as const
export type HardwareTab = (typeof hardwareTabs)[number]['value']

/** The form value of a preset: '4x16' is 4 vCPUs and 16 GiB. Unique within its tab. */
export const presetId = ({ cpus, memoryGiB }: Size): string => `${cpus}x${memoryGiB}`

export const sizesOf = (family: FamilyName): readonly Size[] =>
  families.find(({ value }) => value === family)?.sizes ?? []

/** The preset that is selected first in a tab. */
export const firstPreset = (family: FamilyName): string => sizesOf(family).slice(0, 1).map(presetId).join('')
