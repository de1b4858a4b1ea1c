/** The record of a machine in its folder, from which the next process of the server knows it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMutex, type VmDisk, type VmSpec } from '@purlin/core/ports'
import type { QemuProcess } from './process.ts'
import { writeWhole } from './whole-file.ts'

/** How a machine has ended. */
export interface Ending {
  state: 'stopped' | 'failed'
  reason?: string
  guestShutdown?: boolean
}

export interface MachineRecord {
  /** As it is: with the reset, the layers and the `storage` that the machine has now. */
  spec: VmSpec
  /** New layers that the machine may have got already. */
  next?: { storage: number; disks: VmDisk[] } | undefined
  /** Set while layers that are not written any more keep their tables: the `storage` before them. */
  unsettled?: number | undefined
  /** Whether it boots by UEFI. */
  isUefi?: boolean
  /** While another host sends it, and until it runs here: then it is decided that no other host runs it. */
  arriving?: { isDecided: boolean } | undefined
  /** While it is sent to another host. Once it was handed over, this one must not run it. */
  departing?: { isHandedOver: boolean } | undefined
  /** Once QEMU was started. */
  process?: QemuProcess | undefined
  ended?: Ending
}

/** The type of the machine; none for one that was started before it was kept. */
export const typeOf = ({ spec: { machineType } }: MachineRecord): Pick<VmSpec, 'machineType'> =>
  machineType === undefined ? {} : { machineType }

const nameOf = (folder: string) => join(folder, 'machine.json')

/** Writes the record, as a whole or not at all. User data may have secrets: only the owner reads it. */
export async function writeRecord(folder: string, { spec, ...more }: MachineRecord): Promise<void> {
  const userData = Buffer.from(spec.userData).toString('base64')
  await writeWhole(nameOf(folder), JSON.stringify({ ...more, spec: { ...spec, userData } }))
}

/** The record of a machine, in memory and in its folder. */
export class KeptRecord {
  #folder: string
  #value: MachineRecord
  #writing = createMutex()

  constructor(folder: string, value: MachineRecord) {
    this.#folder = folder
    this.#value = value
  }

  get value(): MachineRecord {
    return this.#value
  }

  /** Changes the record. The change is kept in memory even if it cannot be written. */
  save(change: Partial<MachineRecord>): Promise<void> {
    this.#value = { ...this.#value, ...change }
    return this.#writing(() => writeRecord(this.#folder, this.#value))
  }
}

/** The record in a folder; undefined if there is none that can be read. */
export async function readRecord(folder: string): Promise<MachineRecord | undefined> {
  const text = await readFile(nameOf(folder), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { spec, ...more } = JSON.parse(text) as MachineRecord & { spec: { userData: string } }
    return { ...more, spec: { ...spec, userData: Buffer.from(spec.userData, 'base64') } }
  } catch {
    return undefined
  }
}
