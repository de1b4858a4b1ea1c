/** Gives a running machine new top layers. */
import type { VmDisk, VmLayers } from '@purlin/core/ports'
import { nodeName, openTopLayer, type LayerFolders } from '../layers/layers.ts'
import { QmpError, type Qmp } from '../qmp/qmp.ts'
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

/** The layers that are not written any more after the switch. */
export const frozenLayers = (from: readonly VmDisk[], to: readonly VmDisk[]): string[] =>
  changed(from, to).map(({ before }) => topOf(before))

interface Switch {
  folders: LayerFolders
  qmp: Qmp
  from: readonly VmDisk[]
  to: readonly VmDisk[]
}

/** Switches all disks in one transaction: between two writes of the guest, and after a flush. */
export async function switchLayers({ folders, qmp, from, to }: Switch): Promise<void> {
  const actions = []
  for (const { before, after } of changed(from, to)) {
    const overlay = nodeName(after.slot, topOf(after))
    // A switch that was broken off may have left the node.
    await qmp.run('blockdev-del', { 'node-name': overlay }).catch(ignoreRefusal)
    await qmp.run('blockdev-add', await openTopLayer(folders, after))
    actions.push({
      type: 'blockdev-snapshot',
      data: { node: nodeName(before.slot, topOf(before)), overlay },
    })
  }
  if (actions.length > 0) await qmp.run('transaction', { actions })
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

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof QmpError)) throw error
}
