/** Cooperative scheduling: long work yields to the event loop between its steps. */

/** Yields to other work; resolves to false if the caller should stop. */
export type Checkpoint = () => Promise<boolean>

// Every runtime we have knows one of these, but they belong to no platform's types that compile here.
const platform = globalThis as unknown as {
  setImmediate?: (then: () => void) => void
  setTimeout: (then: () => void, ms: number) => void
}

/** Resolves after the callbacks that are already queued have run. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) =>
    platform.setImmediate ? platform.setImmediate(resolve) : platform.setTimeout(resolve, 0),
  )
