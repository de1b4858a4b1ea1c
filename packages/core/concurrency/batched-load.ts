/** Loads that wait at the same time are one. */
import { createSemaphore } from '@purlin/contract/semaphore'

interface Batch<K, V> {
  keys: Set<K>
  hasBegun: () => boolean
  loaded: Promise<ReadonlyMap<K, V>>
}

/**
 * Loads by key; undefined for a key that the load does not find. At most this many loads run at the same time. Keys
 * that are requested during them are loaded together by the next one, so no caller gets a value that was read before
 * the request. All callers with a key of a failed load get its error.
 */
export function createBatchedLoad<K, V>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  most: { running: number; keys: number },
): (key: K) => Promise<V | undefined> {
  // The number of waiting batches is at most the number of requests.
  const limited = createSemaphore({ running: most.running })

  function addBatch(key: K): Batch<K, V> {
    const keys = new Set([key])
    let hasBegun = false
    const loaded = limited(() => {
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
