/**
 * Disks that an image upload left half written. The disk itself says in its description which file was
 * being uploaded into it, so that whoever chooses that file again, in any browser, finds it and goes on.
 */
import type { DiskStateName } from '@purlin/contract/rules/disk'
import { paths } from '../../paths.ts'
import type { Disk } from './disks.tsx'

/** What tells a file from others without reading it. */
export interface FileFacts {
  name: string
  size: number
  /** ms since 1970 */
  lastModified: number
}

const prefix = 'tmp-for-image-'

/** A name for the temporary disk of an upload that no other disk has. */
export const newDiskName = (): string =>
  `${prefix}${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36)}`

/** The name of the temporary snapshot that belongs to a temporary disk. */
export const snapshotNameOf = (disk: string): string => disk.replace(prefix, 'tmp-snapshot-')

// A description holds 512 characters; names of files are shorter than this on every system.
const longest = 255

/** The description of a temporary disk. */
export const describeUpload = ({ name, size, lastModified }: FileFacts, image: string): string =>
  `Upload of ${JSON.stringify(name.slice(0, longest))}, ${size} bytes, changed ${new Date(lastModified).toISOString()}, for image ${image}`

/** The upload that a disk was made for: its file, and the name of the image it was to become. */
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

/** Whether two files are the same as far as can be told from outside. */
export const isSameFile = (a: FileFacts, b: FileFacts): boolean =>
  a.name.slice(0, longest) === b.name.slice(0, longest) &&
  a.size === b.size &&
  a.lastModified === b.lastModified

/** The form of an image upload, to go on with the one that left this disk. */
export const resumePath = (project: string, disk: string): string =>
  `${paths.projectImageNew(project)}?resume=${encodeURIComponent(disk)}`

const importing: readonly DiskStateName[] = ['import_ready', 'importing_from_bulk_writes']

/** Whether blocks may still be written into a disk from outside. */
export const isImporting = ({ state }: Pick<Disk, 'state'>): boolean => importing.includes(state.state)
