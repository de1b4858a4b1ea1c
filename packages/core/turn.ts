/** Leaving room for others: long work ends its turn now and then. */

/** Says whether to go on. Long work asks before each of its pieces, and so lets others go first. */
export type Keep = () => Promise<boolean>

// Every runtime we have knows one of these, but they belong to no platform's types that compile here.
const platform = globalThis as unknown as {
  setImmediate?: (then: () => void) => void
  setTimeout: (then: () => void, ms: number) => void
}

/** Resolves after whatever else was waiting has had its turn. */
export const turn = (): Promise<void> =>
  new Promise((resolve) =>
    platform.setImmediate ? platform.setImmediate(resolve) : platform.setTimeout(resolve, 0),
  )
