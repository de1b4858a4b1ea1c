/** Loads that wait at the same time are one. */
import { createKeyedSemaphore } from './semaphores.ts'

interface Batch<K, V> {
  keys: Set<K>
  hasBegun: () => boolean
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
  // No more batches wait than requests do.
  const limited = createKeyedSemaphore({ running: most.running, waiting: Infinity })

  function addBatch(key: K): Batch<K, V> {
    const keys = new Set([key])
    let hasBegun = false
    const loaded = limited('', () => {
      hasBegun = true
      return load([...keys])
    })
    return { keys, hasBegun: () => hasBegun, loaded }
  }

  let last: Batch<K, V> | undefined
  return async (key) => {
    if (last && !last.hasBegun() && last.keys.size < most.keys) last.keys.add(key)
    else last = addBatch(key)
    return (await last.loaded).get(key)
  }
}
