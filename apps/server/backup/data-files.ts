/** The files of a data folder: which of them a backup has. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { layerFileKinds } from '@purlin/databases/layer-files'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const linkOfMachine = new RegExp(`^blobs/${uuid}/machines/[^/]+/([^/]+)/`)

/** Files that a backup copies as they are, in this order. */
const copied = [
  new RegExp(`^blobs/${uuid}/folder$`),
  ...layerFileKinds.map((kind) => new RegExp(`^blobs/${uuid}/${uuid}\\.${kind}$`)),
  new RegExp(`^(updates|bundles)/${uuid}/${uuid}\\.zip$`),
]
const leftOut = [
  // The database, which is copied by its own means, and its lock.
  /^purlin\.db(-wal|-shm)?$/,
  /^purlin\.lock(-journal)?$/,
  /^purlin\.reserve$/,
  // Of the database in its present place.
  new RegExp(`^blobs/${uuid}/database$`),
  // Machines that run: their disks are with the bytes of disks.
  /^qemu\//,
  // Links to files of layers, which a machine has until it has ended.
  linkOfMachine,
  // Bytes that no row names.
  new RegExp(`^blobs/${uuid}/aside/`),
]

export interface DataFiles {
  /** Paths in the data folder, in the order in which they must be copied. */
  copied: string[]
  /** Paths that this program does not know, or that belong to another database. They are not copied. */
  unknown: string[]
  /** How many machines write to the bytes of disks: those that QEMU runs. */
  machines: number
}

/** True if a path in a backup may be written into a data folder. */
export const isDataFile = (path: string): boolean => copied.some((one) => one.test(path))

/** Finds the files of a data folder that belong to a database. */
export async function dataFilesIn(folder: string, identity: string): Promise<DataFiles> {
  const paths = await walk(folder, '')
  const isOwn = (path: string) => path.split('/')[1] === identity
  const of = (format: RegExp) => paths.filter((path) => format.test(path) && isOwn(path)).toSorted()
  const found = copied.flatMap(of)
  const known = new Set(found)
  const isKnown = (path: string) => known.has(path) || leftOut.some((one) => one.test(path))
  const machines = new Set(of(linkOfMachine).map((path) => linkOfMachine.exec(path)?.[1]))
  return { copied: found, unknown: paths.filter((path) => !isKnown(path)), machines: machines.size }
}

async function walk(folder: string, within: string): Promise<string[]> {
  const paths: string[] = []
  for (const entry of await entriesOf(join(folder, within))) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) paths.push(...(await walk(folder, path)))
    else paths.push(path)
  }
  return paths
}

/** Folders may be removed while they are read. */
const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return []
    throw error
  })
