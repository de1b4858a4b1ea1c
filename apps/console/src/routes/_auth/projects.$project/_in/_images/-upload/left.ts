/** Disks that broken-off uploads have left, and which of them this browser can go on with. */
import { diskList } from '@purlin/contract/operations/disks'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import { isImporting, isSameFile, uploadOf, type FileFacts } from '../../../../../../parts/disk/imports.ts'
import type { Records } from '../../../../../../parts/disk/importsHere.ts'
import { everyPage } from '../../../../../../parts/everyPage.ts'

export const disksOf = (project: string) => ({
  ...everyPage(diskList, { query: { project } }),
  staleTime: 0,
})

/** What a form looks for. */
export interface Sought {
  file: FileFacts | null
  blockSize: number
  /** The disk that the person came for. */
  resume: Disk | undefined
  /** The name of the disk of the form's own upload, which is over. It is being removed. */
  own: string | undefined
}

/** What this browser knows of disks. */
interface Here {
  locked: ReadonlySet<string>
  read: Records['read']
}

/**
 * How things stand with a disk that is being imported into: an upload in this browser is at it right now, the
 * browser knows how far one has got, or it knows nothing, e.g. because another browser has begun it.
 */
export type Standing = 'busy' | 'known' | 'unknown'
export function standingOf({ id, name }: Disk, { locked, read }: Here): Standing {
  if (locked.has(name)) return 'busy'
  return read(id) ? 'known' : 'unknown'
}

/** Whether something is still being imported into a disk, and from this file. */
export function isFrom(disk: Disk, file: FileFacts): boolean {
  const upload = isImporting(disk) ? uploadOf(disk) : undefined
  return upload !== undefined && isSameFile(upload.file, file)
}

/** The disk to go on with: the one that the person came for if possible, then one with the right block size. */
export function findLeft(
  disks: readonly Disk[],
  { file, blockSize, resume, own }: Sought,
  here: Here,
): Disk | undefined {
  if (!file) return undefined
  const found = disks.filter(
    (disk) => disk.name !== own && isFrom(disk, file) && standingOf(disk, here) === 'known',
  )
  const fitting = found.filter((disk) => disk.blockSize === blockSize)
  return fitting.find(({ id }) => id === resume?.id) ?? fitting[0] ?? found[0]
}
