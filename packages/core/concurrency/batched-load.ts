/** Loads that wait at the same time are one. */

interface Batch<K, V> {
  keys: Set<K>
  start: () => void
  loaded: Promise<ReadonlyMap<K, V>>
}

/**
 * Loads by key; undefined for a key that the load does not find. So many loads run at once, and what is asked for meanwhile is
 * loaded together, by the next one: nobody gets what was read before they asked. All who ask for a key of a load that
 * fails get its error.
 */
export function createBatchedLoad<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  most: { running: number; keys: number },
): (key: K) => Promise<V | undefined> {
  let running = 0
  const waiting: Batch<K, V>[] = []

  async function run(keys: readonly K[]): Promise<ReadonlyMap<K, V>> {
    try {
      return await load(keys)
    } finally {
      // The next batch inherits the place.
      const next = waiting.shift()
      if (next) next.start()
      else running--
    }
  }

  function addBatch(): Batch<K, V> {
    const keys = new Set<K>()
    const { promise, resolve } = Promise.withResolvers<void>()
    const batch = { keys, start: resolve, loaded: promise.then(() => run([...keys])) }
    waiting.push(batch)
    return batch
  }

  return async (key) => {
    if (running < most.running) {
      running++
      return (await run([key])).get(key)
    }
    const last = waiting.at(-1)
    const batch = last && last.keys.size < most.keys ? last : addBatch()
    batch.keys.add(key)
    return (await batch.loaded).get(key)
  }
}
