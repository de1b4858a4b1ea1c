/** The traffic of the interfaces of a machine, as the devices of the host count it. */
import type { Measures, VmNic } from '@purlin/core/ports'
import type { NicTraffic } from '@purlin/netns/privileged/networks'

/** The counters of interfaces at a time. */
export interface TrafficSample {
  time: number
  of: readonly NicTraffic[]
}

const counters = [
  ['bytes_sent', 'sent', 'bytes'],
  ['packets_sent', 'sent', 'packets'],
  ['errors_sent', 'sent', 'errors'],
  ['bytes_received', 'received', 'bytes'],
  ['packets_received', 'received', 'packets'],
  ['packets_dropped', 'received', 'dropped'],
  ['errors_received', 'received', 'errors'],
] as const

/** The measures of an interface. */
export function trafficMeasures({ id }: VmNic, samples: readonly TrafficSample[]): Measures {
  const own = samples.flatMap(({ time, of }) => {
    const found = of.find(({ nicId }) => nicId === id)
    return found ? [{ time, found }] : []
  })
  return {
    kind: 'instance_network_interface',
    id,
    times: own.map(({ time }) => time),
    series: counters.map(([metric, way, counter]) => ({
      metric,
      labels: {},
      values: own.map(({ found }) => found[way][counter]),
    })),
  }
}
