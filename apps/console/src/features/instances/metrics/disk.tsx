import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { prefetch } from '#/api/query.ts'
import { MetricsOfParts, type PartKind } from './MetricsOfParts.tsx'
import { disksQuery } from '#/features/instances/queries.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ChartSubjectProvider } from '#/features/metrics/chartSubject.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics/disk')({
  loader: ({ params }) => prefetch(disksQuery(params)),
  staticData: { crumb: { label: 'Disk' } },
  component: DiskTab,
})

const disks: PartKind = {
  target: 'virtual_disk',
  fields: { instance: 'attached_instance_id', part: 'disk_id' },
  metrics: [
    ['Disk Reads', 'reads', 'perSecond'],
    ['Disk Writes', 'writes', 'perSecond'],
    ['Bytes Read', 'bytes_read', 'bytesPerSecond'],
    ['Bytes Written', 'bytes_written', 'bytesPerSecond'],
    ['Disk Flushes', 'flushes', 'perSecond'],
    ['Read Latency', 'io_latency', 'nanoseconds', 'read'],
    ['Write Latency', 'io_latency', 'nanoseconds', 'write'],
  ],
  words: {
    choose: 'Choose disk',
    all: 'All disks',
    empty: {
      title: 'No disk metrics available',
      body: 'Disks are measured while they are attached. Attach one to see its metrics.',
    },
  },
}

const name = (count: number) => (count === 1 ? '1 disk' : `${count} disks`)

function DiskTab() {
  const target = Route.useParams()
  const { items } = useLoaded(disksQuery(target))
  const count = items.length
  const subject = useMemo(() => ({ count, name }), [count])
  return (
    <ChartSubjectProvider value={subject}>
      <MetricsOfParts of={target} parts={items} kind={disks} />
    </ChartSubjectProvider>
  )
}
