/** Bursts of changes of an address lead to one read every so often. */

const leastMs = 300

export interface Merger {
  add(address: string): void
  stop(): void
}

/**
 * Calls `read` immediately, and again if the address is added during it: after `leastMs`, and after a pause as long
 * as the read took, so that long lists under constant changes are not read all the time.
 */
export function createMerger(read: (address: string) => Promise<unknown>): Merger {
  const waiting = new Map<string, { timer?: ReturnType<typeof setTimeout>; isDue: boolean }>()
  let isStopped = false
  async function run(address: string): Promise<void> {
    const one: { timer?: ReturnType<typeof setTimeout>; isDue: boolean } = { isDue: false }
    waiting.set(address, one)
    const began = performance.now()
    await read(address)
    if (isStopped) return
    const took = performance.now() - began
    const again = () => {
      waiting.delete(address)
      if (one.isDue) void run(address)
    }
    one.timer = setTimeout(again, Math.max(leastMs - took, took))
  }
  return {
    add(address) {
      const known = waiting.get(address)
      if (known) known.isDue = true
      else void run(address)
    },
    stop() {
      isStopped = true
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
