/** The preset sizes of instances, grouped by tab. */
import { instanceSizes, type InstanceSize, type SizeFamily } from '@purlin/contract/rules/instance-sizes'

export type Size = InstanceSize

interface Family {
  value: SizeFamily
  label: string
  hint: string
  sizes: readonly Size[]
}

export const families = [
  {
    value: 'general',
    label: 'General Purpose',
    hint: 'A balance that suits most work.',
    sizes: instanceSizes.general,
  },
  {
    value: 'cpu',
    label: 'High CPU',
    hint: 'More vCPUs per memory: builds, encoding, batch jobs.',
    sizes: instanceSizes.cpu,
  },
  {
    value: 'memory',
    label: 'High Memory',
    hint: 'More memory per vCPU: databases and caches.',
    sizes: instanceSizes.memory,
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
