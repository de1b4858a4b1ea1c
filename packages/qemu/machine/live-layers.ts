/** Gives a running machine new top layers. */
import type { VmDisk, VmLayers } from '@purlin/core/ports'
import { nodeName, openTopLayer, type LayerFolders } from '../layers/layers.ts'
import type { Qmp } from '../qmp/qmp.ts'
import { diskDevice } from './arguments.ts'

const topOf = (disk: Pick<VmDisk, 'layers'> | undefined): string => disk?.layers[0]?.id ?? ''

/** The disks with other layers. */
export const withLayers = (disks: readonly VmDisk[], to: VmLayers): VmDisk[] =>
  disks.map((disk) => ({ ...disk, layers: to.disks.find(({ id }) => id === disk.id)?.layers ?? disk.layers }))

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
 * are, if the machine writes to one of the new layers already.
 */
export async function switchLayers({ folders, qmp, from, to }: Switch): Promise<void> {
  await dropTops(qmp, from, to)
  const actions = []
  for (const { before, after } of changed(from, to)) {
    const overlay = nodeName(after.slot, topOf(after))
    await qmp.run('blockdev-add', await openTopLayer(folders, after))
    actions.push({
      type: 'blockdev-snapshot',
      data: { node: nodeName(before.slot, topOf(before)), overlay },
    })
  }
  if (actions.length > 0) await qmp.run('transaction', { actions })
}

/** Removes what a switch that was broken off has left. QEMU refuses to remove a node that is in use. */
export async function dropTops(qmp: Qmp, from: readonly VmDisk[], to: readonly VmDisk[]): Promise<void> {
  const nodes = await qmp.run<{ 'node-name'?: string }[]>('query-named-block-nodes', { flat: true })
  const names = new Set(nodes.map((node) => node['node-name']))
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
  const blocks = await qmp.run<{ qdev?: string; inserted?: { 'node-name'?: string } }[]>('query-block')
  const block = blocks.find(({ qdev }) => qdev?.includes(diskDevice(slot)))
  return block?.inserted?.['node-name'] === nodeName(slot, topOf(first.after))
}
