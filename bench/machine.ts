/** How fast the machine is at present: figures from different hours can be compared by it. */
import { median } from './figures.ts'

/** Both are small on a fast machine. */
export interface MachineSpeed {
  /** ms for a loop of 50 million additions on one core */
  loop: number
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
    loop: rounded(median(rounds.map(() => timeOf(addUp)))),
    newPage: rounded((median(rounds.map(() => timeOf(touchPages))) * 1000) / pages),
  }
}

function timeOf(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function addUp(): number {
  let sum = 0
  for (let i = 0; i < 50_000_000; i++) sum = (sum + i) | 0
  return sum
}

function touchPages(): void {
  const fresh = Buffer.allocUnsafeSlow(pages * pageBytes)
  for (let at = 0; at < fresh.length; at += pageBytes) fresh[at] = 1
}
