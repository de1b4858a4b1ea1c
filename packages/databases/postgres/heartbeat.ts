/** Notices that the database no longer answers. */
import { settings } from './settings.ts'

const ticksForAnswer = settings.answerMs / settings.heartbeatMs

export interface Heartbeat {
  /** Called every `heartbeatMs`: asks, unless an answer is awaited. */
  tick: () => void
  /** Asks now, unless an answer is awaited. */
  ask: () => void
}

/**
 * `question` resolves when the database answers. `onSilent` is called with the reason when it fails, or does not answer
 * in time. Time is counted in ticks of this process, so that one that was frozen itself does not take its own delay for
 * the database's.
 */
export function createHeartbeat(
  question: () => Promise<unknown>,
  onSilent: (reason: unknown) => void,
): Heartbeat {
  let isAwaited = false
  let ticks = 0

  function ask(): void {
    if (isAwaited) return
    isAwaited = true
    ticks = 0
    question().then(() => (isAwaited = false), onSilent)
  }
  return {
    ask,
    tick() {
      if (isAwaited && ++ticks >= ticksForAnswer) return onSilent(new Error('it does not answer'))
      ask()
    },
  }
}
