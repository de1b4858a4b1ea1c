import type { Clock } from '@purlin/core/ports'

/** A clock that a test advances. */
export interface ManualClock extends Clock {
  /**
   * Advances time by `ms` and fires due timers in order of time, then of creation. In a timer, `now()` is the time
   * that the timer was due. Pending promises settle before, between and after the timers.
   */
  advance(ms: number): Promise<void>
  /** Lets `ms` pass at once, as on a machine that slept: each timer that is due by then fires late, and once. */
  jump(ms: number): Promise<void>
  /** The number of pending timers. */
  pending(): number
}

interface Timer {
  at: number
  fn: () => void
}

/** More iterations than the promise chains of tests without real I/O have links. */
const iterations = 200

const settleMicrotasks = async () => {
  for (let i = 0; i < iterations; i++) await Promise.resolve()
}

/**
 * Creates a manual clock. `start` is in milliseconds since 1970. Pass `settle` if the code under test does real I/O
 * or has very long promise chains, for example `() => new Promise(setImmediate)`.
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

  async function advance(ms: number): Promise<void> {
    const end = now + ms
    await settle()
    for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
      timers.delete(timer)
      now = Math.max(now, timer.at)
      timer.fn()
      await settle()
    }
    now = Math.max(now, end)
  }

  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + Math.max(0, ms), fn }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance,
    async jump(ms) {
      await settle()
      now += ms
      await advance(0)
    },
    pending: () => timers.size,
  }
}
