import type { SledInfo } from '@purlin/core/ports'
import { hash32 } from './hash.ts'

const GiB = 1024 ** 3

/** The size of a simulated rack; every number has a default. */
export interface RackOptions {
  /** How many sleds, 4 if not given. */
  sleds?: number
  /** Tells one rack from another; serials and ids follow from it. */
  serial?: string
  /** CPU families by position, repeated when there are more sleds. */
  cpuFamilies?: readonly SledInfo['cpuFamily'][]
  usableHardwareThreads?: number
  /** bytes */
  usablePhysicalRam?: number
  /** bytes */
  reservoirSize?: number
}

const models = {
  amd_milan: { part: '410-2100317', revision: 6 },
  amd_turin: { part: '410-2200104', revision: 2 },
  amd_turin_dense: { part: '410-2200131', revision: 1 },
} as const satisfies Record<SledInfo['cpuFamily'], { part: string; revision: number }>

/** The same UUID for the same text, always (RFC 9562, version 8). Not random and not secret. */
export function stableUuid(text: string): string {
  const hex = [1, 2, 3, 4].map((seed) => hash32(text, seed).toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** The sleds of a rack. Ids come from serials, so a restart and a larger rack keep them. */
export function makeRack(options: RackOptions = {}): SledInfo[] {
  const {
    sleds = 4,
    serial: rackSerial = 'PRR26110003',
    cpuFamilies = ['amd_milan', 'amd_turin'],
    usableHardwareThreads = 128,
    usablePhysicalRam = 1024 * GiB,
    reservoirSize = 800 * GiB,
  } = options
  const rackId = stableUuid(`rack ${rackSerial}`)
  return Array.from({ length: sleds }, (_, i) => {
    const cpuFamily = cpuFamilies[i % cpuFamilies.length] ?? 'amd_milan'
    const serial = `PRS2614${String(17 + 3 * i).padStart(4, '0')}`
    return {
      id: stableUuid(`sled ${rackSerial} ${serial}`),
      serial,
      ...models[cpuFamily],
      cpuFamily,
      usableHardwareThreads,
      usablePhysicalRam,
      reservoirSize,
      rackId,
    }
  })
}
