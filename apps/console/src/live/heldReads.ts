/** Reads that wait while a page changes its own address. */

let held = 0
const waiting = new Set<() => void>()
/** ms after the navigation, until the page that was left asks for nothing any more, also on a busy machine. */
const restMs = 2000

/** Resolves immediately, or when no reads are held any more. */
export async function whenFree(): Promise<void> {
  if (held > 0) await new Promise<void>((resolve) => waiting.add(resolve))
}

/**
 * Runs a change of the address of the page's resource. Changes that the server reports during it are read afterwards,
 * when no query uses the old address any more.
 */
export async function holdingReads<T>(work: () => Promise<T>): Promise<T> {
  held++
  try {
    return await work()
  } finally {
    setTimeout(() => {
      held--
      if (held > 0) return
      const runs = [...waiting]
      waiting.clear()
      for (const run of runs) run()
    }, restMs)
  }
}
