/** Gives a running machine new top layers, and its disks a larger size. */
import type { VmDisk, VmLayers } from '@purlin/core/ports'
import { layerFile } from '@purlin/databases/layer-files'
import {
  nodeName,
  nodeToRead,
  openToRead,
  openTopLayer,
  seenSize,
  sizeOf,
  topNode,
  type BlockNode,
  type LayerFolders,
} from '../layers/layers.ts'
import type { Qmp } from '../qmp/qmp.ts'
import { isDiskDevice } from './arguments.ts'

const topOf = (disk: Pick<VmDisk, 'layers'> | undefined): string => disk?.layers[0]?.id ?? ''

/** The disks with other layers and sizes. */
export const withLayers = (disks: readonly VmDisk[], to: VmLayers): VmDisk[] =>
  disks.map((disk) => {
    const { layers = disk.layers, size = 0 } = to.disks.find(({ id }) => id === disk.id) ?? {}
    return { ...disk, layers, size: Math.max(disk.size, size) }
  })

/** The disks whose first layer changes, before and after. */
const changed = (from: readonly VmDisk[], to: readonly VmDisk[]) =>
  to.flatMap((after, i) => {
    const before = from[i]
    return before && topOf(before) !== topOf(after) ? [{ before, after }] : []
  })

/** The layers that no machine writes to while one writes to the layers above them, each with its disk. */
export const frozenLayers = (disks: readonly VmDisk[]): (readonly [layer: string, disk: VmDisk])[] =>
  layersOf(disks).filter(([layer, disk]) => layer !== topOf(disk))

/** All layers, each with its disk. */
export const layersOf = (disks: readonly VmDisk[]): (readonly [layer: string, disk: VmDisk])[] =>
  disks.flatMap((disk) => disk.layers.map(({ id }) => [id, disk] as const))

interface Switch {
  folders: LayerFolders
  qmp: Qmp
  from: readonly VmDisk[]
  to: readonly VmDisk[]
}

/**
 * Switches all disks in one transaction: between two writes of the guest, and after a flush. Throws, and leaves the files as they
 * are, if the machine writes to one of the new layers already. A disk keeps the size that the guest sees.
 */
export async function switchLayers({ folders, qmp, from, to }: Switch): Promise<void> {
  await dropTops(qmp, from, to)
  const actions = []
  for (const { before, after } of changed(from, to)) {
    const overlay = nodeName(after.slot, topOf(after))
    const node = nodeName(before.slot, topOf(before))
    const size = await seenSize(folders.blobs, before)
    await qmp.run('blockdev-add', await openTopLayer(folders, { ...after, size }))
    actions.push({ type: 'blockdev-snapshot', data: { node, overlay } })
  }
  if (actions.length > 0) await qmp.run('transaction', { actions })
}

/**
 * The names of the nodes of QEMU. It is asked for their counters: a list with their options (`query-named-block-nodes`) takes seconds
 * with hundreds of layers, and the guest stands still as long.
 */
async function nodeNames(qmp: Qmp): Promise<Set<string | undefined>> {
  const nodes = await qmp.run<{ 'node-name'?: string }[]>('query-blockstats', { 'query-nodes': true })
  return new Set(nodes.map((node) => node['node-name']))
}

/** Lets the guest see the sizes of disks that have grown: QEMU enlarges the files of the first layers. */
export async function growDisks({ blobs }: LayerFolders, qmp: Qmp, disks: readonly VmDisk[]): Promise<void> {
  for (const disk of disks) {
    const size = sizeOf(disk)
    const node = nodeName(disk.slot, topOf(disk))
    if ((await seenSize(blobs, disk)) < size) await qmp.run('block_resize', { 'node-name': node, size })
  }
}

/**
 * Takes the layers that were written and are settled from QEMU, and opens them again to be read: what takes over its process later
 * cannot change them. Does nothing for those that were.
 */
export async function closeFrozen(folders: LayerFolders, qmp: Qmp, disks: readonly VmDisk[]): Promise<void> {
  for (const disk of disks) {
    const names = await nodeNames(qmp)
    const written = disk.layers.slice(1).map(({ id }) => nodeName(disk.slot, id))
    const open = written.filter((name) => names.has(name))
    if (open.length > 0) {
      const below = await openFrozen(folders, { qmp, names }, disk)
      await qmp.run('blockdev-reopen', { options: [await topNode(folders, disk, below)] })
      for (const name of open) await qmp.run('blockdev-del', { 'node-name': name })
    }
    for (const { id } of disk.layers.slice(1))
      for (const kind of ['data', 'qcow2'] as const) await folders.hide(layerFile(folders.blobs, id, kind))
  }
}

/** Opens all layers below the first one, unless they are. Returns the highest. */
async function openFrozen(
  folders: LayerFolders,
  { qmp, names }: { qmp: Qmp; names: ReadonlySet<string | undefined> },
  disk: VmDisk,
): Promise<BlockNode> {
  let below: BlockNode | undefined
  for (let depth = disk.layers.length - 1; depth > 0; depth--) {
    const isOpen = names.has(nodeName(disk.slot, disk.layers[depth]?.id ?? '', 'read'))
    const node = await (isOpen ? nodeToRead : openToRead)(folders, { disk, depth }, below)
    if (!node) continue
    if (!isOpen) await qmp.run('blockdev-add', node)
    below = node
  }
  if (!below) throw new Error('a layer that was frozen has no bytes')
  return below
}

/** Removes what a switch that was broken off has left. QEMU refuses to remove a node that is in use. */
export async function dropTops(qmp: Qmp, from: readonly VmDisk[], to: readonly VmDisk[]): Promise<void> {
  const names = await nodeNames(qmp)
  for (const { after } of changed(from, to)) {
    const name = nodeName(after.slot, topOf(after))
    if (names.has(name)) await qmp.run('blockdev-del', { 'node-name': name })
  }
}

/** True if the machine writes to the layers of `to`. */
export async function hasSwitched(
  qmp: Qmp,
  from: readonly VmDisk[],
  to: readonly VmDisk[],
): Promise<boolean> {
  const [first] = changed(from, to)
  if (!first) return true
  const { slot } = first.after
  const blocks = await qmp.run<{ qdev?: string; 'node-name'?: string }[]>('query-blockstats')
  const block = blocks.find(({ qdev }) => isDiskDevice(qdev, slot))
  return block?.['node-name'] === nodeName(slot, topOf(first.after))
}
