import type { Clock } from '@purlin/core/ports'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves time forward by `ms`, firing due timers in order of time, then of making. `now()` inside a
   * timer is the timer's own moment. Pending promises settle before, between and after the timers.
   */
  advance(ms: number): Promise<void>
  /** How many timers wait. */
  pending(): number
}

interface Timer {
  at: number
  fn: () => void
}

/** Turns of the microtask queue that outlast any promise chain of a test without real I/O. */
const turns = 200

const settleMicrotasks = async () => {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve()
}

/**
 * Makes a manual clock. `start` is in milliseconds since 1970. Give `settle` where work under test
 * does real I/O or very long promise chains, for example `() => new Promise(setImmediate)`.
 */
export function manualClock({
  start = Date.UTC(2026, 0, 1),
  settle = settleMicrotasks,
}: { start?: number; settle?: () => Promise<unknown> } = {}): ManualClock {
  let now = start
  const timers = new Set<Timer>()

  const nextUntil = (end: number) => {
    let next: Timer | undefined
    for (const timer of timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer
    return next
  }

  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + Math.max(0, ms), fn }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.fn()
        await settle()
      }
      now = Math.max(now, end)
    },
    pending: () => timers.size,
  }
}
