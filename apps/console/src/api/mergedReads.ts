/** Bursts of changes of an address lead to one read every so often. */

const leastMs = 300

export interface Merger {
  add(address: string): void
  stop(): void
}

/** Calls `read` at once, and again after `leastMs` if the address is added meanwhile. */
export function createMerger(read: (address: string) => void): Merger {
  const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; isDue: boolean }>()
  function run(address: string): void {
    read(address)
    const timer = setTimeout(() => {
      const isDue = waiting.get(address)?.isDue
      waiting.delete(address)
      if (isDue) run(address)
    }, leastMs)
    waiting.set(address, { timer, isDue: false })
  }
  return {
    add(address) {
      const known = waiting.get(address)
      if (known) known.isDue = true
      else run(address)
    },
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
