/** The current transfer rate of an upload, and the remaining time at that rate. */

const windowMs = 10_000
const shortestMs = 1000
const sampleMs = 250

export interface RateEstimate {
  /** Records how many bytes are done now. */
  record(done: number): void
  /** Undefined until enough is recorded. */
  bytesPerSecond(): number | undefined
  /** Forgets everything recorded, after a pause. */
  reset(): void
}

export function createRateEstimate(now: () => number): RateEstimate {
  let samples: { at: number; done: number }[] = []
  return {
    record(done) {
      const at = now()
      if (at - (samples.at(-1)?.at ?? -Infinity) < sampleMs) return
      // The last sample before the window is kept, so that the rate covers the whole window.
      const first = samples.findLastIndex((one) => one.at <= at - windowMs)
      samples = [...samples.slice(Math.max(0, first)), { at, done }]
    },
    bytesPerSecond() {
      const [first] = samples
      const last = samples.at(-1)
      if (!first || !last || last.at - first.at < shortestMs) return undefined
      return ((last.done - first.done) * 1000) / (last.at - first.at)
    },
    reset: () => void (samples = []),
  }
}

/** 'less than a minute left', 'about 5 minutes left'. */
export function timeLeft(bytes: number, bytesPerSecond: number | undefined): string | undefined {
  if (!bytesPerSecond) return undefined
  const minutes = bytes / bytesPerSecond / 60
  if (minutes < 1) return 'less than a minute left'
  if (minutes < 90) return `about ${count(Math.round(minutes), 'minute')} left`
  return `about ${count(Math.round(minutes / 60), 'hour')} left`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
