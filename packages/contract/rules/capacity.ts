/** The estimate of what a number of sleds offers. */
import { GiB, TiB } from './limits.ts'

/** The part of sleds that instances can use. */
const usablePart = 0.7
const terabytesPerSled = 32
const tebibytesPerTerabyte = 0.909

interface SledSize {
  usableHardwareThreads: number
  usablePhysicalRam: number
}

/**
 * The likely capacity of sleds: 70 % of their threads and memory, and of 32 TB of disks each, or of the storage that they share.
 * Bytes.
 */
export function estimatedCapacity(sleds: readonly SledSize[], sharedStorage?: number) {
  const sum = (of: (sled: SledSize) => number) => sleds.reduce((all, sled) => all + of(sled), 0)
  const threads = sum((sled) => sled.usableHardwareThreads)
  const memoryGiB = sum((sled) => sled.usablePhysicalRam) / GiB
  const tebibytes = sleds.length * terabytesPerSled * tebibytesPerTerabyte
  const ofDisks = Math.ceil(tebibytes * usablePart) * TiB
  return {
    threads: Math.ceil(threads * usablePart),
    memory: Math.ceil(memoryGiB * usablePart) * GiB,
    storage: sharedStorage === undefined ? ofDisks : Math.ceil((sharedStorage * usablePart) / GiB) * GiB,
  }
}
