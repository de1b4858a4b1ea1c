import { gate } from '../../lib/gate.ts'

/** Runs a task for each item, at most `width` at a time, and tells which went wrong and why. */
export async function settleAll<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<unknown>,
): Promise<{ item: T; error: unknown }[]> {
  const failures: { item: T; error: unknown }[] = []
  const pass = gate(width)
  const settle = (item: T) => pass(() => task(item)).catch((error: unknown) => failures.push({ item, error }))
  await Promise.all(items.map(settle))
  return failures
}
