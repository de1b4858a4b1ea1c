/**
 * Disks of interrupted image uploads. The description of the disk names the file, so that the upload can be found
 * when the same file is chosen again.
 */
import { isOneOf } from '@purlin/contract/rules/keys'
import type { DiskState } from '@purlin/contract/rules/states'
import { sections } from '#/lib/addresses.ts'
import type { Disk } from '../disks.tsx'

/** Identifies a file without reading it. */
export interface FileFacts {
  name: string
  size: number
  /** ms since 1970 */
  lastModified: number
}

const prefix = 'tmp-for-image-'

/** A unique name for the temporary disk of an upload. */
export const newDiskName = (): string =>
  `${prefix}${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36)}`

/** The name of the temporary snapshot of a temporary disk. */
export const snapshotNameOf = (disk: string): string => disk.replace(prefix, 'tmp-snapshot-')

// Descriptions are limited to 512 characters; file names are limited to 255 on every system.
const maxNameLength = 255

/** The description of a temporary disk. */
export const describeUpload = ({ name, size, lastModified }: FileFacts, image: string): string =>
  `Upload of ${JSON.stringify(name.slice(0, maxNameLength))}, ${size} bytes, changed ${new Date(lastModified).toISOString()}, for image ${image}`

/** The upload that a disk was created for: its file and the name of the image. */
export function uploadOf({
  name,
  description,
}: Pick<Disk, 'name' | 'description'>): { file: FileFacts; image: string } | undefined {
  if (!name.startsWith(prefix)) return undefined
  const found = /^Upload of (".*"), (\d+) bytes, changed (\S+), for image (\S+)$/s.exec(description)
  const [, quoted = '', size, changed = '', image = ''] = found ?? []
  if (!found) return undefined
  try {
    const file = { name: JSON.parse(quoted) as string, size: Number(size), lastModified: Date.parse(changed) }
    return { file, image }
  } catch {
    return undefined
  }
}

/** Whether two files are the same, judged without reading them. */
export const isSameFile = (a: FileFacts, b: FileFacts): boolean =>
  a.name.slice(0, maxNameLength) === b.name.slice(0, maxNameLength) &&
  a.size === b.size &&
  a.lastModified === b.lastModified

/** The address of the upload form that resumes with this disk. */
export const resumePath = (project: string, disk: string): string =>
  `${sections.image.create(project)}?resume=${encodeURIComponent(disk)}`

const importing: readonly DiskState[] = ['import_ready', 'importing_from_bulk_writes']

/** Whether an import into the disk is open. */
export const isImporting = ({ state }: { state: { state: string } }): boolean =>
  isOneOf(importing, state.state)
