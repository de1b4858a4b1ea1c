import { createFileRoute } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { instanceQuery } from '#/features/instances/queries.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ChartSubjectProvider } from '#/features/metrics/chartSubject.ts'
import { MetricChart } from '#/features/metrics/MetricChart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { cpuShare, sampled } from './cpuShare.ts'
import { memoryUse, rankOfSource } from './memoryUse.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics/cpu')({
  staticData: { crumb: { label: 'CPU and memory' } },
  component: CpuTab,
})

// The states of a vCPU.
const states = [
  ['run', 'Running', 'The vCPUs execute instructions of the guest.'],
  ['emulation', 'Emulation', 'The host works on behalf of the guest, for example on input and output.'],
  ['idle', 'Idle', 'The vCPUs are idle.'],
  [
    'waiting',
    'Waiting',
    'The vCPUs are ready to run but have to wait, usually because other instances use the sled.',
  ],
] as const
const items = [
  ...states.map(([value, label]) => ({ value, label: `State: ${label}` })),
  { value: 'all', label: 'All states' },
]

const vcpus = (count: number) => (count === 1 ? '1 vCPU' : `${count} vCPUs`)

function CpuTab() {
  const target = Route.useParams()
  const { id, ncpus, memory } = useLoaded(instanceQuery(target))
  const [chosen, setChosen] = useState('run')
  const subject = useMemo(() => ({ count: ncpus, name: vcpus }), [ncpus])
  const query = useMemo(() => memoryUse(id), [id])
  const limit = useMemo(() => ({ label: 'Memory of the instance now', value: memory }), [memory])
  const shown = states.filter(([state]) => chosen === 'all' || chosen === state)
  return (
    <div className="flex flex-col gap-4">
      <ListboxField
        label="Choose state"
        hideLabel
        size="small"
        className="w-44"
        items={items}
        value={chosen}
        onChange={setChosen}
      />
      <ChartSubjectProvider value={subject}>
        <ChartGrid>
          {shown.map(([state, label, description]) => (
            <MetricChart
              key={state}
              project={target.project}
              title={`CPU Utilization: ${label}`}
              description={description}
              quantity="percent"
              query={{
                metric: 'virtual_machine:vcpu_usage',
                filters: { instance_id: id, state },
                groupBy: 'vcpu_id',
                every: sampled,
              }}
              label={vcpus}
              convert={cpuShare}
            />
          ))}
          <MetricChart
            project={target.project}
            title="Memory"
            description="In use as the guest says it, or else taken from the host."
            quantity="bytes"
            query={query}
            label="In use"
            rank={rankOfSource}
            limit={limit}
          />
        </ChartGrid>
      </ChartSubjectProvider>
    </div>
  )
}
