/** The layers of the disks of one machine: those that it writes to, and those that are settled. */
import type { VmDisk, VmLayers } from '@purlin/core/ports'
import { settleLayer, type LayerFolders } from '../layers/layers.ts'
import type { Qmp } from '../qmp/qmp.ts'
import {
  closeFrozen,
  dropTops,
  frozenLayers,
  growDisks,
  hasSwitched,
  layersOf,
  switchLayers,
  withLayers,
} from './live-layers.ts'
import type { KeptRecord } from './record.ts'

export class MachineLayers {
  #folders: LayerFolders
  #record: KeptRecord

  constructor(folders: LayerFolders, record: KeptRecord) {
    this.#folders = folders
    this.#record = record
  }

  /** The last switch after which the guest has the sizes of its disks, and all layers but the first ones were settled. */
  get storage(): number {
    const { spec, unsettled } = this.#record.value
    return unsettled ?? spec.storage
  }

  /** The disks, with the layers that they have or are getting. */
  get disks(): readonly VmDisk[] {
    const { spec, next } = this.#record.value
    return [...spec.disks, ...(next?.disks ?? [])]
  }

  /**
   * Gives the machine new first layers and sizes, and settles the other layers. Once QEMU has switched, a repeated call never does it again: the
   * files of the new layers are in use.
   */
  async switchTo(to: VmLayers, qmp: Qmp): Promise<void> {
    await this.read(qmp)
    const { spec, next: broken } = this.#record.value
    if (to.storage > spec.storage) {
      if (broken) await dropTops(qmp, spec.disks, broken.disks)
      const next = { storage: to.storage, disks: withLayers(spec.disks, to) }
      await this.#record.save({ next })
      await switchLayers({
        folders: this.#folders,
        qmp,
        from: spec.disks,
        to: next.disks,
      })
      await this.#advance()
    }
    await this.complete(qmp)
  }

  /** Finds out whether a switch that was broken off was done. */
  async read(qmp: Qmp): Promise<void> {
    const { spec, next } = this.#record.value
    if (next && (await hasSwitched(qmp, spec.disks, next.disks))) await this.#advance()
  }

  /** Completes a switch: the guest gets the sizes, and the layers that the machine does not write to are settled and taken from it. */
  async complete(qmp: Qmp): Promise<void> {
    const { spec, unsettled } = this.#record.value
    await growDisks(this.#folders, qmp, spec.disks)
    for (const [layer, disk] of frozenLayers(spec.disks)) await settleLayer(this.#folders.blobs, layer, disk)
    await closeFrozen(this.#folders, qmp, spec.disks)
    if (unsettled !== undefined) await this.#record.save({ unsettled: undefined })
  }

  /** Settles all layers, once QEMU has ended. A layer that keeps its tables is settled before its next use. */
  async settleAll(onError: (error: unknown) => void): Promise<void> {
    const layers = new Map(layersOf(this.disks))
    for (const [layer, disk] of layers) await settleLayer(this.#folders.blobs, layer, disk).catch(onError)
  }

  async #advance(): Promise<void> {
    const { spec, next } = this.#record.value
    await this.#record.save({
      spec: { ...spec, ...next },
      next: undefined,
      unsettled: this.storage,
    })
  }
}
