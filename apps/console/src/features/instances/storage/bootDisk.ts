import type { Disk } from '@purlin/contract/operations/storage/disks'
import type { Out } from '@purlin/contract/schema'

/** A disk of an instance. */
export type InstanceDisk = Out<typeof Disk>

/** Parts the disks of an instance into the one it boots from, if one is set, and the others. */
export function partDisks<D extends { id: string }>(
  disks: readonly D[],
  bootDiskId: string | null | undefined,
): { boot: D | undefined; others: D[] } {
  return {
    boot: disks.find(({ id }) => id === bootDiskId),
    others: disks.filter(({ id }) => id !== bootDiskId),
  }
}

/** The behaviour of an instance without a boot disk, and the remedy. */
export function noBootDiskText(others: readonly { name: string }[]): string {
  const [only, ...rest] = others
  if (!only) return 'Attach a disk to be able to set a boot disk.'
  if (rest.length === 0) return `Instance will boot from ${only.name} because it is the only disk.`
  return 'Setting a boot disk is recommended, unless the guest manages its boot order itself.'
}
