/** Measures all machines of a host at the same times, and keeps the samples for an hour. */
import type { Clock, SampleBatch } from '@purlin/core/ports'
import type { NicTraffic } from '@purlin/netns/privileged/networks'
import type { Meter } from '../measures/meter.ts'

const keptMs = 60 * 60_000
/** Samples that come later than this are dropped. It is less than the time between two. */
const answerMs = 4_000
/** Devices are measured every second time. */
const devicesEvery = 2
/** The span of one batch. */
const batchMs = 5 * 60_000

export interface Sampler {
  add(meter: Meter): void
  samples(since: number | null): SampleBatch
  stop(): void
}

/** The machines of a host, as they are now. */
export interface Sampled {
  /** Whether the machine of a meter has not ended. */
  isRunning(meter: Meter): boolean
  /** The traffic of interfaces; none where it is not counted. */
  traffic(nicIds: readonly string[]): Promise<readonly NicTraffic[]>
}

export function createSampler(clock: Clock, periodMs: number, machines: Sampled): Sampler {
  let meters: Meter[] = []
  const tickBefore = (time: number) => Math.floor(time / periodMs) * periodMs
  let until = tickBefore(clock.now())
  let cancel = () => {}
  let isStopped = false

  async function measure(time: number): Promise<void> {
    const isForDevices = time % (devicesEvery * periodMs) === 0
    const running = meters.filter((meter) => machines.isRunning(meter) && meter.start < time)
    // A machine that ends at this moment has no more samples.
    const late = new AbortController()
    const nicIds = isForDevices ? running.flatMap(({ nics }) => nics.map(({ id }) => id)) : []
    // A helper that does not answer takes nothing but the traffic from machines.
    const counted = isForDevices ? machines.traffic(nicIds).catch(() => []) : undefined
    const samples = running.map((meter) => meter.sample(time, counted, late.signal))
    // Nor has one that does not answer.
    const wait = new Promise<void>((done) => (cancel = clock.after(answerMs, done)))
    await Promise.race([wait, Promise.allSettled(samples)])
    cancel()
    late.abort()
    meters = meters.filter((meter) => meter.forget(time - keptMs) || machines.isRunning(meter))
    until = time
  }

  function next(): void {
    if (isStopped) return
    const time = tickBefore(clock.now()) + periodMs
    cancel = clock.after(time - clock.now(), () => void measure(time).finally(next))
  }
  next()

  return {
    add: (meter) => void meters.push(meter),
    samples: (since) => {
      const after = Math.max(since ?? 0, until - keptMs)
      const first = Math.min(until, ...meters.map((meter) => meter.start))
      const end = Math.max(after, Math.min(until, Math.max(after, first) + batchMs))
      const batch = meters.map((meter) => meter.samples(after, end)).filter((one) => one.measures.length > 0)
      return { until: end, machines: batch, more: end < until }
    },
    stop: () => {
      isStopped = true
      cancel()
    },
  }
}
