/** The measurements of one boot of a machine. */
import type { Measures, VmDisk, VmNic, VmSamples } from '@purlin/core/ports'
import type { NicTraffic } from '@purlin/netns/privileged/networks'
import type { Qmp } from '../qmp/qmp.ts'
import { isDiskDevice, type QemuAccelerator } from '../machine/arguments.ts'
import { latencies, measureLatencies, type LatencyCounters } from './latencies.ts'
import { askForMemory, memoryAt, memoryMeasures, type MemorySample } from './memory.ts'
import { trafficMeasures, type TrafficSample } from './traffic.ts'
import { addTimes, hostThreads, spent, threadTimes, type ThreadTimes, type VcpuTimes } from './vcpu-times.ts'

type Series = Measures['series']

interface VcpuSample {
  time: number
  vcpus: VcpuTimes[]
}

/** The operations of a disk since QEMU has started. */
interface DiskCounters extends LatencyCounters {
  rd_operations: number
  wr_operations: number
  flush_operations: number
  rd_bytes: number
  wr_bytes: number
  failed_rd_operations: number
  failed_wr_operations: number
  failed_flush_operations: number
}

interface DeviceSample {
  time: number
  resets: number
  disks: DiskCounters[]
}

interface BlockStats {
  qdev?: string
  stats: DiskCounters
}

/** The machine that is measured. */
export interface Measured {
  id: string
  boot: number
  disks: readonly VmDisk[]
  nics: readonly VmNic[]
  pid: number
  accelerator: QemuAccelerator
  qmp: Qmp
}

const metrics = [
  ['reads', 'rd_operations'],
  ['bytes_read', 'rd_bytes'],
  ['writes', 'wr_operations'],
  ['bytes_written', 'wr_bytes'],
  ['flushes', 'flush_operations'],
] as const
const failures = [
  ['failed_reads', 'failed_rd_operations'],
  ['failed_writes', 'failed_wr_operations'],
  ['failed_flushes', 'failed_flush_operations'],
] as const

type Raw = ThreadTimes | undefined

interface First {
  threads: readonly number[]
  raw: Raw[]
}

export class Meter {
  readonly start: number
  resets = 0
  #measured: Measured
  #threads: readonly number[]
  #last: { time: number; raw: Raw[] }
  #vcpus: VcpuSample[] = []
  #devices: DeviceSample[] = []
  #traffic: TrafficSample[] = []
  #memory: MemorySample[] = []

  private constructor(measured: Measured, start: number, first: First) {
    this.#measured = measured
    this.start = start
    this.#threads = first.threads
    this.#last = { time: start, raw: first.raw }
  }

  /** Begins the counters at `start`, in ms since 1970. */
  static async open(measured: Measured, start: number): Promise<Meter> {
    const cpus = await measured.qmp.run<{ 'thread-id': number }[]>('query-cpus-fast')
    const { pid, accelerator } = measured
    const threads = await hostThreads(
      pid,
      cpus.map((cpu) => cpu['thread-id']),
    )
    const raw = await Promise.all(threads.map((thread) => threadTimes(pid, thread, accelerator)))
    // Only the charts of latencies are missing without it.
    await measureLatencies(measured.qmp).catch(() => undefined)
    await askForMemory(measured.qmp).catch(() => undefined)
    return new Meter(measured, start, { threads, raw })
  }

  get nics(): readonly VmNic[] {
    return this.#measured.nics
  }

  /** Measures the vCPUs at `time`, and devices if their traffic is given. Adds nothing once it is too late. */
  async sample(
    time: number,
    traffic: Promise<readonly NicTraffic[]> | undefined,
    late: AbortSignal,
  ): Promise<void> {
    const { pid, qmp, disks, accelerator } = this.#measured
    const raw = await Promise.all(this.#threads.map((thread) => threadTimes(pid, thread, accelerator)))
    if (late.aborted) return
    const before = this.#vcpus.at(-1)?.vcpus
    const span = (time - this.#last.time) * 1e6
    const vcpus = raw.map((now, i) => addTimes(before?.[i], spent(this.#last.raw[i], now, span)))
    this.#last = { time, raw }
    this.#vcpus.push({ time, vcpus })
    if (!traffic) return
    const stats = await qmp.run<BlockStats[]>('query-blockstats')
    if (late.aborted) return
    const found = disks.flatMap(({ slot }) => stats.find(({ qdev }) => isDiskDevice(qdev, slot))?.stats ?? [])
    if (found.length === disks.length) this.#devices.push({ time, resets: this.resets, disks: found })
    const memory = await memoryAt(time, { qmp, pid, now: time })
    if (late.aborted) return
    if (memory) this.#memory.push(memory)
    const of = await traffic
    if (!late.aborted) this.#traffic.push({ time, of })
  }

  /** Forgets samples before a time. False if none is left. */
  forget(before: number): boolean {
    this.#vcpus = this.#vcpus.filter(({ time }) => time >= before)
    this.#devices = this.#devices.filter(({ time }) => time >= before)
    this.#traffic = this.#traffic.filter(({ time }) => time >= before)
    this.#memory = this.#memory.filter(({ time }) => time >= before)
    return this.#vcpus.length > 0
  }

  /** The samples after `after`, up to `until`. */
  samples(after: number, until: number): VmSamples {
    const isIn = ({ time }: { time: number }) => time > after && time <= until
    const vcpus = this.#vcpus.filter(isIn)
    const devices = this.#devices.filter(isIn)
    const { id, boot, disks, nics } = this.#measured
    const timesOf = (list: readonly { time: number }[]) => list.map(({ time }) => time)
    const measures: Measures[] = [
      { kind: 'virtual_machine', id, times: timesOf(vcpus), series: vcpuSeries(vcpus, this.#threads.length) },
      {
        kind: 'virtual_machine',
        id,
        times: timesOf(devices),
        series: [{ metric: 'reset', labels: {}, values: devices.map(({ resets }) => resets) }],
      },
      ...disks.map((disk, i) => ({
        kind: 'virtual_disk' as const,
        id: disk.id,
        times: timesOf(devices),
        series: diskSeries(devices.flatMap((one) => one.disks[i] ?? [])),
      })),
      ...memoryMeasures(id, this.#memory.filter(isIn)),
      ...nics.map((nic) => trafficMeasures(nic, this.#traffic.filter(isIn))),
    ]
    return { id, boot, start: this.start, measures: measures.filter(({ times }) => times.length > 0) }
  }
}

const vcpuSeries = (samples: readonly VcpuSample[], vcpus: number): Series =>
  Array.from({ length: vcpus }, (_, number) =>
    (['run', 'idle', 'waiting', 'emulation'] as const).map((state) => ({
      metric: 'vcpu_usage',
      labels: { state, vcpu_id: number },
      values: samples.map((one) => one.vcpus[number]?.[state] ?? 0),
    })),
  ).flat()

const diskSeries = (samples: readonly DiskCounters[]): Series => [
  ...metrics.map(([metric, name]) => ({ metric, labels: {}, values: samples.map((one) => one[name]) })),
  ...failures.map(([metric, name]) => ({
    metric,
    labels: { failure_reason: 'io_error' },
    values: samples.map((one) => one[name]),
  })),
  ...latencies(samples),
]
