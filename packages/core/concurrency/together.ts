/** Several pieces of work of one transaction at the same time. */

type Results<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/**
 * Waits for all of them, and throws the first error. `Promise.all` would continue while others still use the
 * transaction. Statements that begin together are sent to the database in one round trip; after one has failed, the
 * failures of later ones mean nothing.
 */
export function together<const T extends readonly Promise<unknown>[]>(work: T): Promise<Results<T>> {
  return new Promise((resolve, reject) => {
    const results: unknown[] = []
    let failure: { error: unknown } | undefined
    let left = work.length
    const end = () => {
      if (failure) reject(failure.error)
      else resolve(results as Results<T>)
    }
    for (const [i, one] of work.entries())
      one.then(
        (value) => {
          results[i] = value
          if (--left === 0) end()
        },
        (error: unknown) => {
          failure ??= { error }
          if (--left === 0) end()
        },
      )
    if (left === 0) end()
  })
}
