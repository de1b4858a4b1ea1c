import { createFileRoute } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { instanceQuery } from './-instances/queries.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { MeasuredProvider } from '../../../../parts/metrics/measured.ts'
import { MetricChart } from '../../../../parts/metrics/MetricChart.tsx'
import { ChartGrid } from '../../../../ui/chart/ChartGrid.tsx'
import { ListboxField } from '../../../../ui/field/ListboxField.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/metrics/cpu')({
  staticData: { crumb: { label: 'CPU' } },
  component: CpuTab,
})

// What a vCPU does with its time.
const states = [
  ['run', 'Running', 'The vCPUs execute instructions of the guest.'],
  ['emulation', 'Emulation', 'The host works for the guest, for instance on its input and output.'],
  ['idle', 'Idle', 'The vCPUs have nothing to do.'],
  [
    'waiting',
    'Waiting',
    'The vCPUs could run and wait for their turn, most often because others use the machine.',
  ],
] as const
const items = [
  ...states.map(([value, label]) => ({ value, label: `State: ${label}` })),
  { value: 'all', label: 'All states' },
]

// Seconds between two samples: a vCPU cannot have been busy for longer.
const sampled = 5
const share = (nanoseconds: number, count: number) => (100 * nanoseconds) / (sampled * 1e9 * count)
const vcpus = (count: number) => (count === 1 ? '1 vCPU' : `${count} vCPUs`)

function CpuTab() {
  const target = Route.useParams()
  const { id, ncpus } = useLoaded(instanceQuery(target))
  const [chosen, setChosen] = useState('run')
  const measured = useMemo(() => ({ count: ncpus, name: vcpus }), [ncpus])
  const shown = states.filter(([state]) => chosen === 'all' || chosen === state)
  return (
    <div className="flex flex-col gap-4">
      <ListboxField
        label="Choose state"
        hideLabel
        className="w-44"
        items={items}
        value={chosen}
        onChange={setChosen}
      />
      <MeasuredProvider value={measured}>
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
              convert={share}
            />
          ))}
        </ChartGrid>
      </MeasuredProvider>
    </div>
  )
}
