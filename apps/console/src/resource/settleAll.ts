import { semaphore } from '#/lib/semaphore.ts'

/** Runs a task for each item, at most `width` at a time, and returns the failures. */
export async function settleAll<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<unknown>,
): Promise<{ item: T; error: unknown }[]> {
  const failures: { item: T; error: unknown }[] = []
  const limit = semaphore(width)
  const settle = (item: T) =>
    limit(() => task(item)).catch((error: unknown) => failures.push({ item, error }))
  await Promise.all(items.map(settle))
  return failures
}
