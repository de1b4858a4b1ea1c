/** Hosts on this machine that share the folder of the bytes of disks. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Layer, VmSpec } from '@purlin/core/ports'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { exampleSpec } from '@purlin/sleds/suite/suite-harness'
import { createQemuHost, type QemuHost, type QemuHostOptions } from '../host/host.ts'
import { findMachine } from '../machine/launch.ts'
import { endMachines } from './machines.ts'
import { hasBoxes } from './qemu.ts'

const MiB = 1024 ** 2
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface SharedHost {
  host: QemuHost
  sledId: string
  /** The process of a machine. */
  processOf: (id: string) => ReturnType<typeof findMachine>
}

/** A folder of disks, and hosts that share it. */
export function sharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-shared-'))
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs)
  const hosts = new Map<string, SharedHost>()
  return {
    blobs,
    /** Opens a host; one of the same name is replaced. */
    async open(name: string, more: Partial<QemuHostOptions> = {}): Promise<SharedHost> {
      const own = join(folder, name)
      const host = await createQemuHost({
        folder: own,
        owner: 'a database',
        blobs,
        accelerator: 'tcg',
        hasBoxes,
        network: 'none',
        clock: realClock,
        log,
        ...more,
      })
      const [sled] = (await host.hardware()).sleds
      const opened = {
        host,
        sledId: sled?.id ?? '',
        processOf: (id: string) => findMachine(join(own, id)),
      }
      hosts.set(name, opened)
      return opened
    },
    /** Ends all, with their machines. */
    async close(): Promise<void> {
      for (const [name, { host }] of hosts) {
        await host.close()
        await endMachines(join(folder, name))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A small machine with one disk. */
export function smallSpec(sledId: string, layers: readonly Layer[], more: Partial<VmSpec> = {}): VmSpec {
  const spec = exampleSpec(sledId)
  const disks = spec.disks.map((disk) => ({ ...disk, size: 64 * MiB, layers }))
  return { ...spec, ncpus: 1, memory: 128 * MiB, cpuPlatform: 'host', disks, ...more }
}
