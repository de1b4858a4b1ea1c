/** The list in batches of `size`; the last one may be smaller. */
export function* batches<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
