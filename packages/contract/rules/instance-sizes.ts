/** The sizes of instances that are offered, by what they are for. */

/** A number of vCPUs with GiB of memory. */
export interface InstanceSize {
  cpus: number
  memoryGiB: number
}
const size = (cpus: number, memoryGiB: number): InstanceSize => ({ cpus, memoryGiB })

export const instanceSizes = {
  general: [size(2, 8), size(4, 16), size(8, 32), size(16, 64)],
  cpu: [size(2, 4), size(4, 8), size(8, 16), size(16, 32)],
  memory: [size(2, 16), size(4, 32), size(8, 64), size(16, 128)],
} as const satisfies Record<string, readonly InstanceSize[]>
export type SizeFamily = keyof typeof instanceSizes
