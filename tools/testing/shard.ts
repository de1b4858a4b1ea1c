/** The words by which both Vitest and Playwright run one part of the tests, of `1/3`. Throws for anything else. */
export function shardOf(value: string | undefined): string[] {
  if (value === undefined) return []
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number)
  if (part < 1 || part > parts)
    throw new Error(`--shard takes a part of all parts, such as 1/3, and not "${value}"`)
  return [`--shard=${value}`]
}
