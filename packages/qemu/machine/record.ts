/** The record of a machine in its folder, from which the next process of the server knows it. */
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { VmDisk, VmSpec } from '@purlin/core/ports'

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
  next?: { storage: number; disks: VmDisk[] }
  ended?: Ending
}

const nameOf = (folder: string) => join(folder, 'machine.json')

/** Writes the record, as a whole or not at all. User data may have secrets: only the owner reads it. */
export async function writeRecord(folder: string, { spec, ...more }: MachineRecord): Promise<void> {
  const userData = Buffer.from(spec.userData).toString('base64')
  const path = `${nameOf(folder)}.new`
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify({ ...more, spec: { ...spec, userData } }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(path, nameOf(folder))
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
