/** Several pieces of work of one transaction at the same time. */

type Results<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/**
 * Waits for all of them, and throws what was thrown first. `Promise.all` would go on while others still use the
 * transaction. Statements that are begun together are sent to the database in one round trip; after one has failed,
 * the failures of those behind it say nothing.
 */
export async function together<const T extends readonly Promise<unknown>[]>(work: T): Promise<Results<T>> {
  const failures: unknown[] = []
  const results = await Promise.all(
    work.map((one) => one.catch((error: unknown) => void failures.push(error))),
  )
  if (failures.length > 0) throw failures[0]
  return results as Results<T>
}
