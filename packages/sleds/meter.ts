/** The measurements of simulated sleds. */
import type { Measures, SampleBatch, VmSamples, VmSpec } from '@purlin/core/ports'
import { ioKinds, memoryUsed, operations, traffic, vcpu } from './load.ts'

const vcpuStepMs = 5_000
const stepMs = 10_000
const minRetentionMs = 60 * 60_000
/** Machines that start later than this have no history. */
const soonMs = 30_000
const valuesPerBatch = 250_000

/** Measures one boot of a machine from its creation until its end. */
export interface Meter {
  reset(time: number): void
  end(time: number): void
}

interface MeasuredBoot {
  id: string
  spec: VmSpec
  start: number
  end: number
  resets: number[]
}

/** The meters of all sleds. Samples are kept for an hour, or as long as the history that the first machines have. */
export class Meters {
  #boots: MeasuredBoot[] = []
  #retentionMs: number
  #past: number
  #soon: number
  /** Machines that have a history. Whatever they do then, their counters begin at that moment. */
  #known = new Set<string>()

  constructor(past: number, now: number) {
    this.#past = past
    this.#soon = now + soonMs
    this.#retentionMs = Math.max(minRetentionMs, past)
  }

  /** Measures a machine from now on, or from the beginning of its history. */
  open(id: string, spec: VmSpec, now: number): Meter {
    const hasHistory = now < this.#soon && spec.boot === 1 && !this.#known.has(id)
    if (hasHistory) this.#known.add(id)
    const start = hasHistory ? now - this.#past : now
    const boot: MeasuredBoot = { id, spec, start, end: Infinity, resets: [] }
    this.#boots.push(boot)
    return {
      reset: (time) => void boot.resets.push(time),
      end: (time) => void (boot.end = Math.min(boot.end, time)),
    }
  }

  samples({ sledId, since, now }: { sledId: string; since: number | null; now: number }): SampleBatch {
    const oldest = now - this.#retentionMs
    this.#boots = this.#boots.filter((boot) => boot.end > oldest)
    const after = Math.max(since ?? oldest, oldest)
    const boots = this.#boots.filter((boot) => boot.spec.sledId === sledId && boot.end > after)
    const begin = Math.max(after, Math.min(now, ...boots.map((boot) => boot.start)))
    const perSecond = boots.reduce((sum, boot) => sum + valuesPerSecond(boot.spec), 0)
    const until = Math.min(now, begin + Math.max(stepMs, Math.floor((1000 * valuesPerBatch) / perSecond)))
    const machines = boots.map((boot) => measure(boot, after, until)).filter((one) => one.measures.length > 0)
    return { until, machines, more: until < now }
  }
}

/** The approximate number of values per second; a distribution counts as several. */
const valuesPerSecond = ({ ncpus, disks, nics }: VmSpec): number => ncpus + 10 * disks.length + nics.length

/** The multiples of `step` after `after`, up to `until`. */
function ticks(step: number, after: number, until: number): number[] {
  const first = Math.floor(after / step) + 1
  const count = Math.max(0, Math.floor(until / step) - first + 1)
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}

function measure(boot: MeasuredBoot, after: number, until: number): VmSamples {
  const { id, spec, start } = boot
  // The next boot may begin at the end of this one.
  const [low, high] = [Math.max(after, start), Math.min(until, boot.end - 1)]
  const vcpuTimes = ticks(vcpuStepMs, low, high)
  const times = ticks(stepMs, low, high)
  const measures = [
    { kind: 'virtual_machine' as const, id, times: vcpuTimes, series: vcpus(boot, vcpuTimes) },
    { kind: 'virtual_machine' as const, id, times, series: events(boot, times) },
    {
      kind: 'virtual_machine' as const,
      id,
      times,
      series: [
        counter('memory_used', times.map(memoryUsed({ id, start }, spec.memory)), { source: 'guest' }),
      ],
    },
    ...spec.disks.map((disk) => ({
      kind: 'virtual_disk' as const,
      id: disk.id,
      times,
      series: io(boot, disk.id, times),
    })),
    ...spec.nics.map((nic) => ({
      kind: 'instance_network_interface' as const,
      id: nic.id,
      times,
      series: packets(boot, nic.id, times),
    })),
  ]
  return { id, boot: spec.boot, start, measures: measures.filter((one) => one.times.length > 0) }
}

type Series = Measures['series']

function vcpus({ id, spec, start }: MeasuredBoot, times: number[]): Series {
  return Array.from({ length: spec.ncpus }, (_, number) => {
    const spent = times.map(vcpu({ id, start, step: vcpuStepMs }, number))
    return (['run', 'idle', 'waiting', 'emulation'] as const).map((state) => ({
      metric: 'vcpu_usage',
      labels: { state, vcpu_id: number },
      values: spent.map((one) => one[state]),
    }))
  }).flat()
}

function events({ resets }: MeasuredBoot, times: number[]): Series {
  const none = times.map(() => 0)
  return [
    counter(
      'reset',
      times.map((time) => resets.filter((reset) => reset <= time).length),
    ),
    counter('pv_panic_guest_handled', none),
    counter('pv_panic_host_handled', none),
  ]
}

const counter = (metric: string, values: number[], labels: Series[number]['labels'] = {}) => ({
  metric,
  labels,
  values,
})

const ofKind = {
  read: { count: 'reads', bytes: 'bytes_read', failed: 'failed_reads' },
  write: { count: 'writes', bytes: 'bytes_written', failed: 'failed_writes' },
  flush: { count: 'flushes', bytes: null, failed: 'failed_flushes' },
} as const

function io({ start }: MeasuredBoot, id: string, times: number[]): Series {
  return ioKinds.flatMap((kind) => {
    const done = times.map(operations({ id, start, step: stepMs }, kind))
    const { count, bytes, failed } = ofKind[kind]
    const labels = { io_kind: kind }
    return [
      counter(
        count,
        done.map((one) => one.count),
      ),
      ...(bytes === null
        ? []
        : [
            counter(
              bytes,
              done.map((one) => one.bytes),
            ),
          ]),
      counter(
        failed,
        times.map(() => 0),
        { failure_reason: 'io_error' },
      ),
      { metric: 'io_latency', labels, values: done.map((one) => one.latency) },
      { metric: 'io_size', labels, values: done.map((one) => one.size) },
    ]
  })
}

function packets({ start }: MeasuredBoot, id: string, times: number[]): Series {
  const nic = { id, start, step: stepMs }
  const sent = times.map(traffic(nic, 'sent'))
  const received = times.map(traffic(nic, 'received'))
  const none = times.map(() => 0)
  return [
    counter(
      'bytes_sent',
      sent.map((one) => one.bytes),
    ),
    counter(
      'packets_sent',
      sent.map((one) => one.packets),
    ),
    counter('errors_sent', none),
    counter(
      'bytes_received',
      received.map((one) => one.bytes),
    ),
    counter(
      'packets_received',
      received.map((one) => one.packets),
    ),
    counter(
      'packets_dropped',
      received.map((one) => one.dropped),
    ),
    counter('errors_received', none),
  ]
}
