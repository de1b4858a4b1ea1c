/** The present speed of the machine, so that figures from different hours can be compared. */
import { createHash } from 'node:crypto'
import { median } from './figures.ts'

/** Both are small on a fast machine. */
export interface MachineSpeed {
  /** ms for the SHA-256 of 32 MiB on one core: native code, which no compiler has to warm up for */
  hash: number
  /** µs to write to a page of memory for the first time */
  newPage: number
}

const rounds = [0, 1, 2, 3, 4]
const pageBytes = 4096
const pages = 8192

/** Takes about a second. */
export function measureMachine(): MachineSpeed {
  const rounded = (value: number) => Number(value.toPrecision(3))
  return {
    hash: rounded(median(rounds.map(() => timeOf(hashBytes)))),
    newPage: rounded((median(rounds.map(() => timeOf(touchPages))) * 1000) / pages),
  }
}

function timeOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

const bytes = Buffer.alloc(32 * 2 ** 20)

function hashBytes(): void {
  createHash('sha256').update(bytes).digest()
}

function touchPages(): void {
  const fresh = Buffer.allocUnsafeSlow(pages * pageBytes)
  for (let at = 0; at < fresh.length; at += pageBytes) fresh[at] = 1
}
