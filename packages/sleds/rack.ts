import type { SledInfo } from '@purlin/core/ports'
import { hash32 } from './hash.ts'

const GiB = 1024 ** 3

/** The size of a simulated rack. */
export interface RackOptions {
  /** The number of sleds. */
  sleds?: number
  /** Further hosts in the rack that are not part of the system yet; none by default. */
  spare?: number
  /** Identifies the rack; the ids of its sleds are derived from it. */
  serial?: string
  /** The beginning of the serial numbers of its sleds, which are unique in a fleet. */
  sledSerials?: string
  /** The number of switches; two by default. */
  switches?: number
  /** CPU families by position, repeated if there are more sleds. */
  cpuFamilies?: readonly Family[]
  usableHardwareThreads?: number
  /** bytes */
  usablePhysicalRam?: number
  /** bytes */
  reservoirSize?: number
}

const models = {
  amd_milan: { part: '410-2100317', revision: 6, model: 'CS-2', cpuModel: 'AMD EPYC 7713P' },
  amd_turin: { part: '410-2200104', revision: 2, model: 'CS-3', cpuModel: 'AMD EPYC 9755' },
  amd_turin_dense: { part: '410-2200131', revision: 1, model: 'CS-3D', cpuModel: 'AMD EPYC 9965' },
} as const
type Family = keyof typeof models

const usualSerial = 'PRR26110003'
export const rackSerialOf = ({ serial = usualSerial }: RackOptions): string => serial
export const rackIdOf = (serial: string): string => stableUuid(`rack ${serial}`)

/** The size of a rack whose options say nothing else. */
export const usualRack = {
  sleds: 4,
  sledSerials: 'PRS2614',
  switches: 2,
  cpuFamilies: ['amd_milan', 'amd_turin'] as readonly Family[],
  usableHardwareThreads: 128,
  usablePhysicalRam: 1024 * GiB,
  reservoirSize: 800 * GiB,
}

/** The rack of demonstrations: one of its sleds is away, and one host waits to be added. */
export const demoRack: RackOptions = { sleds: 5, spare: 1 }

/** A UUID that is derived from a text (RFC 9562, version 8). Neither random nor secret. */
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

/** The sleds of a rack. Their ids are derived from serials, so they survive restarts and changes of the number. */
export function makeRack(options: RackOptions = {}): SledInfo[] {
  const { sleds, sledSerials, cpuFamilies, usableHardwareThreads, usablePhysicalRam, reservoirSize } = {
    ...usualRack,
    ...options,
  }
  const rackSerial = rackSerialOf(options)
  const rackId = rackIdOf(rackSerial)
  return Array.from({ length: sleds }, (_, i) => {
    const cpuFamily = cpuFamilies[i % cpuFamilies.length] ?? 'amd_milan'
    const serial = `${sledSerials}${String(17 + 3 * i).padStart(4, '0')}`
    return {
      id: stableUuid(`sled ${rackSerial} ${serial}`),
      serial,
      ...models[cpuFamily],
      vendor: 'Ashlar',
      cpuFamily,
      accelerator: 'simulated' as const,
      networkMode: 'simulated' as const,
      usableHardwareThreads,
      usablePhysicalRam,
      reservoirSize,
      rackId,
      cubby: i,
      temperature: 22 + (hash32(serial, 3) % 50) / 10,
      links: ['net0', 'net1'].map((name) => ({ name, state: 'up' as const, speed: 100e9 })),
      load: null,
    }
  })
}
