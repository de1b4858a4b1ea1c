/**
 * The firmware that starts the guest of a machine: the BIOS of QEMU, or for a disk that boots by UEFI alone, the firmware of the package `ovmf`.
 * Its variables begin empty with each start of the machine, so that it starts the disk by the path that the specification has for
 * any machine (UEFI, section 3.5.1.1). They outlast resets, and QEMU sends them along with the memory of a machine that moves.
 */
import { chmod, copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { VmSpec } from '@purlin/core/ports'
import { openBlobs } from '@purlin/databases/blobs-in-files'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { settleLayer } from '../layers/layers.ts'

/** The files of a machine that boots by UEFI. */
export interface UefiFiles {
  /** that the firmware runs, which is the same for all machines */
  code: string
  /** that the firmware writes */
  variables: string
}

/** Where Debian's package has the firmware. */
const installed = '/usr/share/OVMF'
const read = 64 * 1024
/** More than the firmware has room for. */
export const mostVariables = 1024 * 1024

const bootCode = 440
const types = {
  efiSystem: '28732ac11ff8d211ba4b00a0c93ec93b',
  biosBoot: '4861682149646f6e744e656564454649',
}
const legacyBit = 4n

/**
 * Whether a disk boots by UEFI alone, of its first bytes: its partition table (UEFI, section 5.3) has a system partition for UEFI and
 * none for BIOS, and its first block has no code that BIOS would start.
 */
export function bootsByUefiAlone(bytes: Uint8Array, blockSize: number): boolean {
  const disk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (disk.subarray(0, bootCode).some((byte) => byte !== 0)) return false
  const header = disk.subarray(blockSize, 2 * blockSize)
  if (header.toString('latin1', 0, 8) !== 'EFI PART') return false
  const [at, count, size] = [
    Number(header.readBigUInt64LE(72)) * blockSize,
    header.readUInt32LE(80),
    header.readUInt32LE(84),
  ]
  let isUefi = false
  for (let i = 0; i < count && size >= 128 && at + (i + 1) * size <= disk.length; i++) {
    const entry = disk.subarray(at + i * size)
    const type = entry.toString('hex', 0, 16)
    if (type === types.biosBoot || (entry.readBigUInt64LE(48) & legacyBit) !== 0n) return false
    isUefi ||= type === types.efiSystem
  }
  return isUefi
}

/** Reads the boot disk of a machine that does not run. */
export async function needsUefi(blobs: string, { disks, bootDiskId }: VmSpec): Promise<boolean> {
  const disk = disks.find(({ id }) => id === bootDiskId)
  if (!disk) return false
  for (const { id } of disk.layers) await settleLayer(blobs, id, disk)
  return bootsByUefiAlone(await openBlobs(blobs).read(disk.layers, 0, read), disk.blockSize)
}

/** Makes the variables of a machine. Throws if the firmware is not installed. */
export async function makeUefi(variables: string, folder = installed): Promise<UefiFiles> {
  const code = join(folder, 'OVMF_CODE_4M.fd')
  try {
    await stat(code)
    await copyFile(join(folder, 'OVMF_VARS_4M.fd'), variables)
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error
    throw new Error('its disk boots by UEFI alone, and its host has no such firmware: the package ovmf', {
      cause: error,
    })
  }
  await chmod(variables, 0o600)
  return { code, variables }
}
