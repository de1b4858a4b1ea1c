import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { prefetch } from '#/api/query.ts'
import { MetricsOfParts, type PartKind } from './MetricsOfParts.tsx'
import { nicsQuery } from '#/features/instances/queries.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ChartSubjectProvider } from '#/features/metrics/chartSubject.ts'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/instances/$instance/_page/metrics/network',
)({
  loader: ({ params }) => prefetch(nicsQuery(params)),
  staticData: { crumb: { label: 'Network' } },
  component: NetworkTab,
})

const interfaces: PartKind = {
  target: 'instance_network_interface',
  fields: { instance: 'instance_id', part: 'interface_id' },
  metrics: [
    ['Bytes Sent', 'bytes_sent', 'bytesPerSecond'],
    ['Bytes Received', 'bytes_received', 'bytesPerSecond'],
    ['Packets Sent', 'packets_sent', 'perSecond'],
    ['Packets Received', 'packets_received', 'perSecond'],
    ['Packets Dropped', 'packets_dropped', 'perSecond'],
  ],
  words: {
    choose: 'Choose network interface',
    all: 'All NICs',
    empty: {
      title: 'No network metrics available',
      body: 'An instance without a network interface has no traffic. Add one in the Networking tab.',
    },
  },
}

const name = (count: number) => (count === 1 ? '1 network interface' : `${count} network interfaces`)

function NetworkTab() {
  const target = Route.useParams()
  const { items } = useLoaded(nicsQuery(target))
  const count = items.length
  const subject = useMemo(() => ({ count, name }), [count])
  return (
    <ChartSubjectProvider value={subject}>
      <MetricsOfParts of={target} parts={items} kind={interfaces} />
    </ChartSubjectProvider>
  )
}
