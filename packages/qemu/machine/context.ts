/** The surroundings of machines, and the files of each. */
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostNetworks } from '@purlin/netns/privileged/networks'
import type { Clock, Log, VmStatus } from '@purlin/core/ports'
import type { LayerFolders } from '../layers/layers.ts'
import type { DirectKernel, QemuAccelerator } from './arguments.ts'
import { changing, closeFolder, hideFile, removeAll, removeLinks, showFile } from './disk-links.ts'
import type { Machine } from './machine.ts'
import type { ControlGroups } from '../host/control-groups.ts'
import type { Meter } from '../measures/meter.ts'

/** The surroundings of a machine. */
export interface MachineContext {
  clock: Clock
  log: Log
  program: string
  accelerator: QemuAccelerator
  /** Networks that enforce the rules of VPCs, or what guests have instead. */
  network: HostNetworks | 'outbound' | 'none'
  kernel?: DirectKernel | undefined
  /** The folder of the firmware for UEFI; that of Debian's package unless given. */
  firmware?: string | undefined
  /** Whether each machine is in a box. */
  hasBoxes: boolean
  /** Whether boxes reach the outside without the network of the host: see `whyNoUplink`. */
  hasUplink?: boolean | undefined
  /** Bounds each machine: see `openControlGroups`. */
  groups?: ControlGroups | undefined
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
    memory: join(run, 'memory'),
    /** of QMP as well, by which QEMU is given a connection where it may make none */
    sending: join(run, 'sending'),
    log: join(folder, 'console.log'),
    seed: join(folder, 'seed'),
    /** of the firmware for UEFI */
    variables: join(folder, 'variables'),
    tables: join(folder, 'tables'),
  }
}

/** Where a machine has the bytes of its disks. */
export const layerFoldersOf = (id: string, { blobs, folderOf, linksOf }: MachineContext): LayerFolders => ({
  blobs,
  tables: filesIn(folderOf(id)).tables,
  show: (path, use) => showFile(linksOf(id), path, use),
  hide: (path) => hideFile(linksOf(id), path),
})

/** QEMU makes nothing else in the folder of its sockets, once they are there. */
export async function closeSockets(id: string, { folderOf }: MachineContext): Promise<void> {
  const { run } = filesIn(folderOf(id))
  if (run !== folderOf(id)) await closeFolder(run)
}

/** Adds or removes a socket of this process. */
export async function changeSockets(folder: string, work: () => Promise<void>): Promise<void> {
  const { run } = filesIn(folder)
  await (run === folder ? work() : changing(run, work))
}

/** Removes all that a machine has, but the bytes of its disks. */
export async function removeFolders(id: string, { folderOf, linksOf }: MachineContext): Promise<void> {
  await removeLinks(linksOf(id))
  await chmod(filesIn(folderOf(id)).run, 0o700).catch(() => undefined)
  await removeAll(folderOf(id))
}
