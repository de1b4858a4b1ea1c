/** The surroundings of machines, and the files of each. */
import { join } from 'node:path'
import type { HostNetworks } from '@purlin/netns/privileged/networks'
import type { Clock, Log, VmStatus } from '@purlin/core/ports'
import type { DirectKernel, QemuAccelerator } from './arguments.ts'
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
  /** The bytes of all disks. */
  blobs: string
  /** The folder of a machine. */
  folderOf(id: string): string
  /** Increases with every call. */
  nextSeq(): number
  /** Called with each change of the machine. */
  report(status: VmStatus): void
  /** Called once QEMU runs. */
  onMeter(meter: Meter): void
  /** Called when a removed machine has ended. */
  onRemoved(machine: Machine): void
}

/** The files in the folder of a machine. */
export const filesIn = (folder: string) => ({
  qmp: join(folder, 'qmp'),
  serial: join(folder, 'serial'),
  log: join(folder, 'console.log'),
  seed: join(folder, 'seed'),
  tables: join(folder, 'tables'),
})
