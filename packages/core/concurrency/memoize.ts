/** Calls `make` once per object and keeps the value for as long as the object lives. */
export function memoizeByObject<K extends WeakKey, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { value: T }>()
  return (key) => {
    const known = made.get(key) ?? { value: make(key) }
    made.set(key, known)
    return known.value
  }
}

/** The same by two texts, of which there are few: what is made is kept for good. */
export function memoizeByText<A extends string, B extends string, T>(
  make: (first: A, second: B) => T,
): (first: A, second: B) => T {
  const made = new Map<string, { value: T }>()
  return (first, second) => {
    const key = `${first} ${second}`
    const known = made.get(key) ?? { value: make(first, second) }
    made.set(key, known)
    return known.value
  }
}
