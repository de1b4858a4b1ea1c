/** The surroundings of machines, and the files of each. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { HostNetworks } from '@purlin/netns/privileged/networks'
import type { Clock, Log, VmStatus } from '@purlin/core/ports'
import type { LayerFolders } from '../layers/layers.ts'
import type { DirectKernel, QemuAccelerator } from './arguments.ts'
import { removeAll, removeLinks, showFile } from './disk-links.ts'
import type { Machine } from './machine.ts'
import type { Meter } from './meter.ts'

/** The surroundings of a machine. */
export interface MachineContext {
  clock: Clock
  log: Log
  program: string
  accelerator: QemuAccelerator
  /** Networks that enforce the rules of VPCs, or what guests have instead. */
  network: HostNetworks | 'outbound' | 'none'
  kernel?: DirectKernel | undefined
  /** Whether each machine is in a box. */
  hasBoxes: boolean
  /** The bytes of all disks. */
  blobs: string
  /** The folder of a machine. */
  folderOf: (id: string) => string
  /** The folder of its links to the bytes of its disks. */
  linksOf: (id: string) => string
  /** Increases with every call. */
  nextSeq(): number
  /** Called with each change of the machine. */
  report(status: VmStatus): void
  /** Called once QEMU runs. */
  onMeter(meter: Meter): void
  /** Called when a removed machine has ended. */
  onRemoved(machine: Machine): void
}

/**
 * The files in the folder of a machine. QEMU writes to `log`, and makes its sockets in `run`. A machine that was started before
 * there were boxes has them in its folder, where one in a box can make nothing.
 */
export const filesIn = (folder: string) => {
  const run = existsSync(join(folder, 'qmp')) ? folder : join(folder, 'run')
  return {
    run,
    qmp: join(run, 'qmp'),
    serial: join(run, 'serial'),
    screen: join(run, 'screen'),
    log: join(folder, 'console.log'),
    seed: join(folder, 'seed'),
    tables: join(folder, 'tables'),
  }
}

/** Where a machine has the bytes of its disks. */
export const layerFoldersOf = (id: string, { blobs, folderOf, linksOf }: MachineContext): LayerFolders => ({
  blobs,
  tables: filesIn(folderOf(id)).tables,
  show: (path, use) => showFile(linksOf(id), path, use),
})

/** Removes all that a machine has, but the bytes of its disks. */
export async function removeFolders(id: string, { folderOf, linksOf }: MachineContext): Promise<void> {
  await removeLinks(linksOf(id))
  await removeAll(folderOf(id))
}
