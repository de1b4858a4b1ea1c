/** Disks of interrupted uploads, and which of them this browser can resume. */
import { diskList } from '@purlin/contract/operations/storage/disks'
import type { Disk } from '#/features/disks/disks.tsx'
import { isImporting, isSameFile, uploadOf, type FileFacts } from '#/features/disks/imports/imports.ts'
import type { Records } from '#/features/disks/imports/uploadRecords.ts'
import { everyPage } from '#/api/everyPage.ts'

export const disksOf = (project: string) => ({
  ...everyPage(diskList, { query: { project } }),
  staleTime: 0,
})

/** The search of a form. */
export interface ResumeSearch {
  file: FileFacts | null
  blockSize: number
  /** The disk that the user wants to resume. */
  resume: Disk | undefined
  /** The name of the disk of the form's own upload, which was cancelled and is being removed. */
  own: string | undefined
}

/** The uploads that this browser knows. */
interface LocalUploads {
  locked: ReadonlySet<string>
  read: Records['read']
}

/**
 * Whether an upload can be resumed from here: 'busy' while this browser is sending it, 'known' if this browser has
 * a record of what was sent, 'unknown' otherwise, e.g. if another browser started it.
 */
export type ResumeState = 'busy' | 'known' | 'unknown'
export function resumeStateOf({ id, name }: Disk, { locked, read }: LocalUploads): ResumeState {
  if (locked.has(name)) return 'busy'
  return read(id) ? 'known' : 'unknown'
}

/** Whether an import into a disk is under way, and it is of this file. */
export function isUploadOf(disk: Disk, file: FileFacts): boolean {
  const upload = isImporting(disk) ? uploadOf(disk) : undefined
  return upload !== undefined && isSameFile(upload.file, file)
}

/** The disk to resume: preferably the one that the user chose, then one with the same block size, then any. */
export function findResumable(
  disks: readonly Disk[],
  { file, blockSize, resume, own }: ResumeSearch,
  local: LocalUploads,
): Disk | undefined {
  if (!file) return undefined
  const found = disks.filter(
    (disk) => disk.name !== own && isUploadOf(disk, file) && resumeStateOf(disk, local) === 'known',
  )
  const sameBlockSize = found.filter((disk) => disk.blockSize === blockSize)
  return sameBlockSize.find(({ id }) => id === resume?.id) ?? sameBlockSize[0] ?? found[0]
}
