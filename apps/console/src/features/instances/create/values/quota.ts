/** The use of the silo's quota by a new instance, and whether that much is free. */
import { formatBytes, GiB } from '@purlin/contract/rules/limits'
import { formatSize, joinedByAnd } from '#/lib/format.ts'
import {
  amountOf,
  beyondHardware,
  isTooLarge,
  leftInQuota,
  leftOf,
  type Resource,
  type Utilization,
} from '#/features/utilization/quota.ts'
import type { DiskRow, InstanceForm } from './form.ts'
import { sizeOf } from './toBody.ts'

/** vCPUs, and bytes of memory and storage. */
export type Need = Record<Resource, number>

const whole = (amount: number) => (Number.isFinite(amount) && amount > 0 ? amount : 0)
const newStorage = (row: DiskRow) => (row.type === 'create' ? row.body.size : 0)

/** The request of the form. Existing disks are counted already; empty fields count as 0. */
export function needOf(form: InstanceForm): Need {
  const { cpus, memoryGiB } = sizeOf(form)
  const boot = form.boot === 'disk' ? 0 : whole(form.bootSizeGiB) * GiB
  return {
    cpus: whole(cpus),
    memory: whole(memoryGiB) * GiB,
    storage: form.disks.map(newStorage).reduce((sum, size) => sum + size, boot),
  }
}

type Show = (amount: number) => string
export const resources = [
  { key: 'cpus', noun: 'vCPUs', exact: String, brief: (amount: number) => amount.toLocaleString() },
  { key: 'memory', noun: 'Memory', exact: formatBytes, brief: (amount: number) => formatSize(amount) },
  { key: 'storage', noun: 'Storage', exact: formatBytes, brief: (amount: number) => formatSize(amount) },
] as const satisfies readonly { key: Resource; noun: string; exact: Show; brief: Show }[]

/** The resources of which more is requested than the quota leaves. */
export const shortOf = (need: Need, utilization: Utilization | undefined) =>
  utilization ? resources.filter(({ key }) => need[key] > leftInQuota(utilization, key)) : []

/** The warning about too little quota or hardware for the form; undefined if there is enough. */
export function quotaWarning(need: Need, utilization: Utilization | undefined): string | undefined {
  if (!utilization) return undefined
  const short = shortOf(need, utilization)
  if (short.length === 0) return hardwareWarning(need, utilization)
  const amounts = short.map(
    ({ key, noun, exact }) =>
      `${noun === 'vCPUs' ? noun : noun.toLowerCase()} (${exact(need[key])} needed, ${exact(leftInQuota(utilization, key))} free)`,
  )
  // Disks count from their creation, vCPUs and memory from the start of the instance.
  const effect = short.some(({ key }) => key === 'storage')
    ? 'The instance cannot be created.'
    : 'The instance will be created but cannot start.'
  return `The silo does not have enough free quota: ${joinedByAnd(amounts)}. ${effect}`
}

/** The instance can be created: no start and no write is due yet. */
function hardwareWarning(need: Need, utilization: Utilization): string | undefined {
  const tooLarge = resources.filter(({ key }) => isTooLarge(utilization, key, need[key]))
  const sizes = tooLarge.map(({ key, noun, exact }) =>
    key === 'cpus' ? `${exact(need[key])} ${noun}` : `${exact(need[key])} of ${noun.toLowerCase()}`,
  )
  const left = leftOf(utilization, 'storage')
  const warnings = [
    ...(sizes.length > 0
      ? [`No sled has ${joinedByAnd(sizes)} free now. The instance will be created but cannot start.`]
      : []),
    ...(need.storage > left
      ? [`The hardware has only ${amountOf('storage', left)} free. ${beyondHardware}`]
      : []),
  ]
  return warnings.length > 0 ? warnings.join(' ') : undefined
}
