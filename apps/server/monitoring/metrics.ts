/** The counters of a server for the monitoring of its operators, and their text: OpenMetrics 1.0. */
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  openMetricsContentType,
  Registry,
  type OpenMetricsContentType,
} from 'prom-client'
import type { Gauges } from '@purlin/core'
import type { LoopMeter, LoopResult } from '@purlin/core/ports'

/** A request, and its answer. `operation` is `page` for the console and `unknown` for an address of no operation. */
export interface Answered {
  operation: string
  method: string
  status: number
  ms: number
}

/** The state when the text is asked for. */
export interface Now {
  gauges: Gauges
  connections: number
}

/** The latest round of a loop: its result, when it ended (RFC 3339), and how long it took. */
interface LatestRound {
  result: LoopResult
  ended: string
  ms: number
}

export interface Metrics {
  answered: (request: Answered) => void
  loops: LoopMeter
  /** How the latest round of each loop has ended. */
  latestRounds(): Record<string, LatestRound>
  /** The whole text. */
  text(now: Now): Promise<string>
  readonly contentType: string
}

const prefix = 'purlin_'

/** One gauge of the state of the cloud: its help and its labels. */
const stateGauges = {
  instances: { name: 'instances', help: 'Instances by state', labels: ['state'] },
  tasks: { name: 'tasks_unfinished', help: 'Tasks that have not ended, by state', labels: ['state'] },
  attention: {
    name: 'attention',
    help: 'Conditions that need attention now, by kind and severity',
    labels: ['kind', 'severity'],
  },
  sledUp: { name: 'sled_up', help: '1 for a sled that answers, 0 for a missing one', labels: ['sled'] },
  sledThreads: {
    name: 'sled_threads',
    help: 'Hardware threads of a sled for instances: usable, reserved, used',
    labels: ['sled', 'use'],
  },
  sledMemory: {
    name: 'sled_memory_bytes',
    help: 'Memory of a sled for instances: usable, reserved, used',
    labels: ['sled', 'use'],
  },
  sledStorage: {
    name: 'sled_storage_bytes',
    help: 'Storage of a sled for instances: usable, reserved, used',
    labels: ['sled', 'use'],
  },
  provisionedCpus: { name: 'provisioned_vcpus', help: 'vCPUs that count against quotas', labels: [] },
  provisionedMemory: {
    name: 'provisioned_memory_bytes',
    help: 'Memory that counts against quotas',
    labels: [],
  },
  provisionedStorage: {
    name: 'provisioned_storage_bytes',
    help: 'Storage that counts against quotas',
    labels: [],
  },
} as const satisfies Record<keyof Gauges, { name: string; help: string; labels: readonly string[] }>

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const resultOf = (status: number) => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok')
const typeOf = ({ operation, method }: Answered) =>
  operation === 'page' ? 'page' : method === 'GET' || method === 'HEAD' ? 'read' : 'write'

/** Makes the metrics of one server. The number of series is bounded: labels are names from tables, and sleds. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(openMetricsContentType)
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; the version is a label',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests by operation and result: ok, refused (4xx), failed (5xx)',
    labelNames: ['operation', 'result'],
    registers,
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Time from a request to the beginning of its answer: reads, writes and pages',
    labelNames: ['type'],
    buckets: seconds,
    registers,
  })
  const rounds = new Counter({
    name: `${prefix}loop_rounds_total`,
    help: 'Rounds of background work by result; waited: no database or no room',
    labelNames: ['loop', 'result'],
    registers,
  })
  const worked = new Counter({
    name: `${prefix}loop_seconds_total`,
    help: 'Time in rounds of background work',
    labelNames: ['loop'],
    registers,
  })
  const lastRound = new Gauge({
    name: `${prefix}loop_last_done_timestamp_seconds`,
    help: 'When a round of background work was last done',
    labelNames: ['loop'],
    registers,
  })
  const connections = new Gauge({ name: `${prefix}connections`, help: 'Open connections', registers })
  const gauges = Object.entries(stateGauges).map(([key, { name, help, labels }]) => ({
    key: key as keyof Gauges,
    gauge: new Gauge({ name: prefix + name, help, labelNames: labels, registers }),
  }))

  const latest = new Map<string, LatestRound>()
  return {
    contentType: registry.contentType,
    latestRounds: () => Object.fromEntries(latest),
    answered(request) {
      requests.inc({ operation: request.operation, result: resultOf(request.status) })
      durations.observe({ type: typeOf(request) }, request.ms / 1000)
    },
    loops: {
      round(loop, result, ms) {
        latest.set(loop, { result, ended: new Date().toISOString(), ms })
        rounds.inc({ loop, result })
        worked.inc({ loop }, ms / 1000)
        if (result === 'done') lastRound.set({ loop }, Date.now() / 1000)
      },
    },
    async text(now) {
      connections.set(now.connections)
      for (const { key, gauge } of gauges) {
        gauge.reset()
        for (const { labels, value } of now.gauges[key]) gauge.set(labels, value)
      }
      return registry.metrics()
    },
  }
}
