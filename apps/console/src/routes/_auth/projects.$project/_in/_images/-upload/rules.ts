/** What a file must be like to become an image, and the room that takes. */
import { formatBytes, GiB, limits } from '@purlin/contract/rules/limits'
import { formatSize } from '../../../../../../lib/format.ts'

const { maxSize } = limits.disk

/** Why a file cannot be uploaded in blocks of this size, or undefined. */
export function fileProblem(file: { size: number } | null, blockSize: number): string | undefined {
  if (!file) return undefined
  if (file.size === 0) return 'The file is empty'
  if (file.size > maxSize) return `The file can be at most ${formatBytes(maxSize)}`
  if (file.size % blockSize !== 0)
    return `File size must be a multiple of the block size (${blockSize} bytes)`
  return undefined
}

/** The disk that holds a file: whole GiB. */
export const diskSizeFor = (bytes: number): number => Math.ceil(bytes / GiB) * GiB

/** Why the quota does not suffice, or undefined. Disk and snapshot are both there for a moment. */
export function quotaProblem(
  bytes: number,
  { left, hasDisk }: { left: number; hasDisk: boolean },
): string | undefined {
  const needed = (hasDisk ? 1 : 2) * diskSizeFor(bytes)
  if (needed <= left) return undefined
  return `Until it is done, the upload needs ${formatSize(needed)} of storage for temporary things, but the silo’s quota has ${formatSize(Math.max(0, left))} left. Delete disks or snapshots that are not needed, or ask the operator for a larger quota.`
}
