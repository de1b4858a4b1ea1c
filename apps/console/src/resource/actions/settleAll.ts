import { createSemaphore } from '@purlin/contract/semaphore'

/** Runs a task for each item, at most `width` at a time, and begins none once the signal says so. */
export async function settleAll<T>(
  items: readonly T[],
  { width, signal }: { width: number; signal?: AbortSignal },
  task: (item: T) => Promise<unknown>,
): Promise<{ failures: { item: T; error: unknown }[]; begun: number }> {
  const failures: { item: T; error: unknown }[] = []
  const limit = createSemaphore({ running: width })
  let begun = 0
  const begin = (item: T) => {
    if (signal?.aborted) return Promise.resolve()
    begun++
    return task(item)
  }
  const settle = (item: T) =>
    limit(() => begin(item)).catch((error: unknown) => failures.push({ item, error }))
  await Promise.all(items.map(settle))
  return { failures, begun }
}
