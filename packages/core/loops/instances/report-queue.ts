/** Reports of machines that wait to be stored. */
import type { VmStatus } from '#/ports.ts'

/** Machines of a sled that may wait. A report beyond them is dropped: the next look at the instance asks for it. */
const mostOfSled = 10_000
/** With more than this in all, a sled may have only a few. */
const most = 100_000
const fewOfSled = 100

export interface ReportQueue {
  add(status: VmStatus): void
  settled(): Promise<void>
}

/** Stores the newest report of each machine, one after the other. The sleds have turns: none keeps back those of others. */
export function createReportQueue(store: (status: VmStatus) => Promise<void>): ReportQueue {
  const waiting = new Map<string, Map<string, VmStatus>>()
  let count = 0
  let work: Promise<void> | undefined

  function add(status: VmStatus): void {
    const ofSled = waiting.get(status.sledId) ?? new Map<string, VmStatus>()
    const before = ofSled.get(status.id)
    if (before ? isOlder(status, before) : ofSled.size >= (count < most ? mostOfSled : fewOfSled)) return
    if (!before) count++
    ofSled.set(status.id, status)
    waiting.set(status.sledId, ofSled)
    work ??= storeAll().finally(() => (work = undefined))
  }

  /** The first report of the sled whose turn it is. */
  function next(): VmStatus | undefined {
    for (const [sledId, ofSled] of waiting) {
      waiting.delete(sledId)
      for (const [id, status] of ofSled) {
        ofSled.delete(id)
        count--
        if (ofSled.size > 0) waiting.set(sledId, ofSled)
        return status
      }
    }
    return undefined
  }

  async function storeAll(): Promise<void> {
    // All that a driver reports at once waits together.
    await Promise.resolve()
    for (let status = next(); status; status = next()) await store(status)
  }

  return {
    add,
    settled: async () => {
      while (work) await work
    },
  }
}

const isOlder = (one: VmStatus, than: VmStatus): boolean =>
  one.boot < than.boot || (one.boot === than.boot && one.seq < than.seq)
