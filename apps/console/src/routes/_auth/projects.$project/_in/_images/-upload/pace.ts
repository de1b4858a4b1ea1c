/** How fast an upload has been of late, and how long the rest will take at that. */

const windowMs = 10_000
const leastMs = 1000
const everyMs = 250

export interface Pace {
  /** Takes note of how many bytes are done now. */
  note(done: number): void
  /** bytes per second; undefined until there is enough to tell */
  speed(): number | undefined
  /** Forgets what was before a break. */
  reset(): void
}

export function createPace(now: () => number): Pace {
  let seen: { at: number; done: number }[] = []
  return {
    note(done) {
      const at = now()
      if (at - (seen.at(-1)?.at ?? -Infinity) < everyMs) return
      // The last one from before the window stays: the first figure is then over the whole of it.
      const first = seen.findLastIndex((one) => one.at <= at - windowMs)
      seen = [...seen.slice(Math.max(0, first)), { at, done }]
    },
    speed() {
      const [first] = seen
      const last = seen.at(-1)
      if (!first || !last || last.at - first.at < leastMs) return undefined
      return ((last.done - first.done) * 1000) / (last.at - first.at)
    },
    reset: () => void (seen = []),
  }
}

/** 'less than a minute left', 'about 5 minutes left'. */
export function timeLeft(bytes: number, speed: number | undefined): string | undefined {
  if (!speed) return undefined
  const minutes = bytes / speed / 60
  if (minutes < 1) return 'less than a minute left'
  if (minutes < 90) return `about ${count(Math.round(minutes), 'minute')} left`
  return `about ${count(Math.round(minutes / 60), 'hour')} left`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
