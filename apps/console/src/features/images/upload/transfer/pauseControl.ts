/** Pauses and resumes an upload. */

/** The cause of the pause: the user, a lost connection, or a session that has ended. */
export type PauseReason = 'user' | 'connection' | 'session'

export interface PauseControl {
  readonly reason: PauseReason | undefined
  /** A pause by the user is not replaced by another reason. */
  pause(reason: PauseReason): void
  resume(): void
  /** Resolves as soon as it is not paused; rejects when the signal aborts. */
  waitUntilResumed(signal: AbortSignal): Promise<void>
}

export function createPauseControl(onChange: () => void): PauseControl {
  let current: PauseReason | undefined
  let resumed = Promise.withResolvers<void>()
  return {
    get reason() {
      return current
    },
    pause(reason) {
      if (current === 'user' || current === reason) return
      if (!current) resumed = Promise.withResolvers<void>()
      current = reason
      onChange()
    },
    resume() {
      if (!current) return
      current = undefined
      resumed.resolve()
      onChange()
    },
    async waitUntilResumed(signal) {
      signal.throwIfAborted()
      if (!current) return
      const aborted = Promise.withResolvers<never>()
      const abort = () => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort)
      await Promise.race([resumed.promise, aborted.promise]).finally(() =>
        signal.removeEventListener('abort', abort),
      )
    },
  }
}
