/** Runs a task for each item, at most `width` at a time, and tells which went wrong and why. */
export async function settleAll<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<unknown>,
): Promise<{ item: T; error: unknown }[]> {
  const failures: { item: T; error: unknown }[] = []
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await task(item)
      } catch (error) {
        failures.push({ item, error })
      }
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return failures
}
