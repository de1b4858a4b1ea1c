import { LRUCache } from 'lru-cache'

/** Calls `make` once per object and keeps the value for as long as the object lives. */
export function memoizeByObject<K extends WeakKey, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { value: T }>()
  return (key) => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}

const longestText = 1024

/** The same by a text. Caches the results of the `most` texts that were used last, except long texts and failures. */
export function memoizeRecent<T>(most: number, make: (text: string) => T): (text: string) => T {
  const made = new LRUCache<string, { value: T }>({ max: most })
  return (text) => {
    const known = made.get(text)
    if (known) return known.value
    const value = make(text)
    if (text.length > longestText) return value
    made.set(text, { value })
    return value
  }
}
