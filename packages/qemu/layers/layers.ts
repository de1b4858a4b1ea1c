/**
 * Gives the layers of a disk to QEMU, and takes back what a machine has written. The lowest layer is raw. Every other one
 * is qcow2, with its `data` as the external data file: the one that is written has its tables next to it, and those
 * that are only read have theirs in the folder of the machine.
 */
import { mkdir, open, readFile, stat, truncate, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { BytesMissing, createKeyedLock, type Layer } from '@purlin/core/ports'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { extent, layerFile, type LayerFileKind } from '@purlin/databases/layer-files'
import { writeAll } from '@purlin/databases/written-files'
import { requireFree } from './file-locks.ts'
import { hasZeros, readTables, sizeInTables, writeTables } from './tables.ts'

const sector = 512
const settling = createKeyedLock()

/** A disk with its layers, newest first. */
export interface LayeredDisk {
  size: number
  slot: number
  layers: readonly Layer[]
}

/** The use that a machine makes of a file. */
export type LayerUse = 'read' | 'written'

/** The folders of the bytes of all disks, and of the tables that only this machine reads. */
export interface LayerFolders {
  blobs: string
  tables: string
  /** Lets QEMU open a file of the bytes of all disks, and returns the name that it has for QEMU. */
  show: (path: string, use: LayerUse) => Promise<string>
  /** Takes a file from QEMU that it does not write to any more. */
  hide: (path: string) => Promise<void>
}

/** A file in a node. */
interface FileNode {
  driver: 'file'
  filename: string
  discard: 'unmap'
}

/** The options of a node for `-blockdev` and `blockdev-add`. The node below is named: its own options are given before. */
export interface BlockNode {
  driver: string
  'node-name': string
  'read-only': boolean
  file: FileNode
  backing?: string | null
  [option: string]: unknown
}

function ignoreMissing(error: unknown): undefined {
  if (systemCodeOf(error) !== 'ENOENT') throw error
}
const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch((error: unknown) => ignoreMissing(error))) !== undefined

/**
 * Makes the files of a disk ready for a machine that does not run yet, and returns the nodes of its layers, the lowest first. While
 * another host runs the machine, the tables of its newest layer stay as they are. Throws BytesMissing.
 */
export async function openLayers(
  folders: LayerFolders,
  disk: LayeredDisk,
  runsElsewhere = false,
): Promise<BlockNode[]> {
  const [top, ...below] = disk.layers
  for (const { id } of below) await settleLayer(folders.blobs, id, disk)
  if (top && !runsElsewhere) await settleLayer(folders.blobs, top.id, disk)
  const nodes: BlockNode[] = []
  for (let depth = below.length; depth > 0; depth--) {
    const node = await openToRead(folders, { disk, depth }, nodes.at(-1))
    if (node) nodes.push(node)
  }
  const open = runsElsewhere ? topNode : nodeOf
  nodes.push(await open(folders, disk, nodes.at(-1)))
  return nodes
}

/** Makes a new first layer ready, above those that a running machine has; the node has nothing below it. */
export function openTopLayer(folders: LayerFolders, disk: LayeredDisk): Promise<BlockNode> {
  return nodeOf(folders, disk, undefined)
}

/**
 * The name of the node of a layer, which is unique within a machine. One that is opened to be read has another one: a layer that was
 * written is opened again. A name has 31 characters at most.
 */
export const nodeName = (slot: number, layer: string, use: LayerUse = 'written'): string =>
  `${use === 'written' ? 'd' : 'r'}${slot}-${Buffer.from(layer.replaceAll('-', ''), 'hex').toString('base64url')}`

/** The size that a guest sees: whole sectors. */
export const sizeOf = ({ size }: Pick<LayeredDisk, 'size'>) => Math.ceil(size / sector) * sector

/**
 * The size that the guest of a running machine sees now, which may be less than that of the disk: QEMU keeps it in the tables
 * of the first layer, or in the length of its bytes.
 */
export async function seenSize(blobs: string, disk: LayeredDisk): Promise<number> {
  const [top, ...below] = disk.layers
  const path = (kind: LayerFileKind) => layerFile(blobs, top?.id ?? '', kind)
  const size = below.length === 0 ? (await stat(path('data'))).size : await sizeInTables(path('qcow2'))
  return Math.min(size, sizeOf(disk))
}

async function nodeOf(
  { blobs, show }: LayerFolders,
  disk: LayeredDisk,
  below: BlockNode | undefined,
): Promise<BlockNode> {
  const [layer, ...lower] = disk.layers
  if (!layer) throw new Error('a disk has at least one layer')
  const data = layerFile(blobs, layer.id, 'data')
  await requireFile(data, layer)
  await truncateAtLeast(data, sizeOf(disk))
  const name = nodeName(disk.slot, layer.id)
  const shown = await show(data, 'written')
  if (lower.length === 0) return rawNode({ name, data: shown, readOnly: false })
  const tables = layerFile(blobs, layer.id, 'qcow2')
  const map = await mapOf(blobs, layer)
  await writeTables(tables, { size: sizeOf(disk), map, below: below?.file.filename, isKept: true })
  return tablesNode({ name, data: shown, tables: await show(tables, 'written'), readOnly: false }, below)
}

/** A layer of a disk, by the number of those above it. */
interface LayerAt {
  disk: LayeredDisk
  depth: number
}

/**
 * Makes a layer that no machine writes to ready to be read, above a node; undefined if it has no bytes. Throws BytesMissing.
 */
export async function openToRead(
  folders: LayerFolders,
  at: LayerAt,
  below: BlockNode | undefined,
): Promise<BlockNode | undefined> {
  const { disk, depth } = at
  const node = await nodeToRead(folders, at, below)
  const layer = disk.layers[depth]
  if (!node || !layer || depth === disk.layers.length - 1) return node
  await mkdir(folders.tables, { recursive: true, mode: 0o700 })
  const map = await mapOf(folders.blobs, layer)
  await writeTables(node.file.filename, {
    size: sizeOf(disk),
    map,
    below: below?.file.filename,
    // The next boot makes new ones.
    isKept: false,
  })
  return node
}

/** The node of a layer that is only read, whose tables may be written already; undefined if it has no bytes. Throws BytesMissing. */
export async function nodeToRead(
  { blobs, tables, show }: LayerFolders,
  { disk, depth }: LayerAt,
  below: BlockNode | undefined,
): Promise<BlockNode | undefined> {
  const layer = disk.layers[depth]
  if (!layer) return undefined
  const data = layerFile(blobs, layer.id, 'data')
  if (layer.hasBytes ? !(await requireFile(data, layer)) : !(await isThere(data))) return undefined
  const name = nodeName(disk.slot, layer.id, 'read')
  const files = { name, data: await show(data, 'read'), readOnly: true }
  if (depth === disk.layers.length - 1) return rawNode(files)
  return tablesNode({ ...files, tables: join(tables, `${disk.slot}-${layer.id}.qcow2`) }, below)
}

/** The node of the first layer of a running machine as it is, above another one: nothing is written. */
export async function topNode(
  folders: LayerFolders,
  disk: LayeredDisk,
  below: BlockNode | undefined,
): Promise<BlockNode> {
  const [layer, ...lower] = disk.layers
  if (!layer) throw new Error('a disk has at least one layer')
  const shown = (kind: LayerFileKind) => folders.show(layerFile(folders.blobs, layer.id, kind), 'written')
  const files = { name: nodeName(disk.slot, layer.id), data: await shown('data'), readOnly: false }
  return lower.length === 0 ? rawNode(files) : tablesNode({ ...files, tables: await shown('qcow2') }, below)
}

interface NodeFiles {
  name: string
  data: string
  readOnly: boolean
}

/**
 * It is read-only if the node above it is: QEMU opens a file again that has to change, and cannot once the tables of a layer that was
 * settled are gone.
 */
const fileNode = (filename: string): FileNode => ({ driver: 'file', filename, discard: 'unmap' })

const rawNode = ({ name, data, readOnly }: NodeFiles): BlockNode => ({
  driver: 'raw',
  'node-name': name,
  'read-only': readOnly,
  discard: 'unmap',
  file: fileNode(data),
})

const tablesNode = (
  { name, data, tables, readOnly }: NodeFiles & { tables: string },
  below: BlockNode | undefined,
): BlockNode => ({
  driver: 'qcow2',
  'node-name': name,
  'read-only': readOnly,
  discard: 'unmap',
  file: fileNode(tables),
  'data-file': fileNode(data),
  backing: below?.['node-name'] ?? null,
})

/** Creates the file if the layer was never written. Throws BytesMissing if it was. */
async function requireFile(path: string, layer: Layer): Promise<true> {
  if (await isThere(path)) return true
  if (layer.hasBytes) throw new BytesMissing([layer.id])
  await (await open(path, 'a', 0o600)).close()
  return true
}

async function truncateAtLeast(path: string, size: number): Promise<void> {
  if ((await stat(path)).size < size) await truncate(path, size)
}

async function mapOf(blobs: string, layer: Layer): Promise<Uint8Array> {
  const path = layerFile(blobs, layer.id, 'map')
  await requireFile(path, layer)
  return readFile(path)
}

/**
 * Moves what the tables of a layer say into its map, and removes them. For layers that no machine writes to: those of a
 * machine that has ended, however it did, and those that a snapshot has frozen. Does nothing for a layer without tables.
 * Throws LayerInUse, also if a machine that is not known of writes to it: its tables would be lost.
 */
export const settleLayer = (blobs: string, layer: string, disk: Pick<LayeredDisk, 'size'>): Promise<void> =>
  settling.exclusive(layerFile(blobs, layer, 'qcow2'), () => settle(blobs, layer, sizeOf(disk)))

async function settle(blobs: string, layer: string, most: number): Promise<void> {
  const path = (kind: LayerFileKind) => layerFile(blobs, layer, kind)
  if (!(await isThere(path('qcow2')))) return
  await requireFree(path('qcow2'))
  const map = await readTables(path('qcow2'), most)
  if (map) {
    await withFile(path('data'), (data) => writeZeros(data, map))
    await withFile(path('map'), (file) => writeMap(file, map))
  }
  await unlink(path('qcow2')).catch((error: unknown) => ignoreMissing(error))
  await withFile(blobs, (folder) => folder.sync(), 'r')
}

async function withFile(
  path: string,
  work: (file: FileHandle) => Promise<unknown>,
  flags = 'r+',
): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

/** Extents that QEMU has marked as zeros may have older bytes in the data file. */
async function writeZeros(data: FileHandle, map: Uint8Array): Promise<void> {
  const zeros = Buffer.alloc(extent)
  const bytes = Buffer.alloc(extent)
  for (let i = map.indexOf(hasZeros); i >= 0; i = map.indexOf(hasZeros, i + 1)) {
    const { bytesRead } = await data.read(bytes, 0, extent, i * extent)
    if (zeros.compare(bytes, 0, bytesRead, 0, bytesRead) !== 0)
      await writeAll(data, i * extent, zeros.subarray(0, bytesRead))
  }
  await data.datasync()
}

async function writeMap(file: FileHandle, map: Uint8Array): Promise<void> {
  const marks = map.map((mark) => (mark === 0 ? 0 : 1))
  await writeAll(file, 0, marks)
  await file.truncate(marks.length)
  await file.sync()
}
