/** The checks of a file before it is uploaded. */
import { formatBytes, GiB, limits } from '@purlin/contract/rules/limits'
import { shortStorage, type Utilization } from '#/features/utilization/quota.ts'

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

/** The storage of an upload. Disk and snapshot exist at the same time for a moment. */
export const storageOf = (bytes: number, { hasDisk }: { hasDisk: boolean }): number =>
  (hasDisk ? 1 : 2) * diskSizeFor(bytes)

/** Why the quota is too small, or undefined. */
export function quotaProblem(
  bytes: number,
  { utilization, hasDisk }: { utilization: Utilization; hasDisk: boolean },
): string | undefined {
  const needed = storageOf(bytes, { hasDisk })
  return shortStorage(utilization, { needed, of: 'upload', content: 'a temporary disk and its snapshot' })
}
