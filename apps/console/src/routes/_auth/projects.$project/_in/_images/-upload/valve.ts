/** Holds an upload up, and lets it go on. */

/** Why it is held up: the person wished it, the server cannot be reached, or nobody is signed in any more. */
export type Why = 'person' | 'connection' | 'session'

export interface Valve {
  readonly closed: Why | undefined
  /** What the person wished outlasts the other reasons. */
  close(why: Why): void
  open(): void
  /** Resolves once it is open; rejects when the signal says so. */
  passed(signal: AbortSignal): Promise<void>
}

export function createValve(onChange: () => void): Valve {
  let closed: Why | undefined
  let waiting = Promise.withResolvers<void>()
  waiting.resolve()
  return {
    get closed() {
      return closed
    },
    close(why) {
      if (closed === 'person' || closed === why) return
      if (!closed) waiting = Promise.withResolvers<void>()
      closed = why
      onChange()
    },
    open() {
      if (!closed) return
      closed = undefined
      waiting.resolve()
      onChange()
    },
    async passed(signal) {
      signal.throwIfAborted()
      if (!closed) return
      const given = Promise.withResolvers<never>()
      const giveUp = () => given.reject(signal.reason)
      signal.addEventListener('abort', giveUp)
      await Promise.race([waiting.promise, given.promise]).finally(() =>
        signal.removeEventListener('abort', giveUp),
      )
    },
  }
}
