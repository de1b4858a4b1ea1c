import Activity from 'lucide-react/icons/activity'
import { useState } from 'react'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { MetricChart } from '#/features/metrics/MetricChart.tsx'
import type { Quantity } from '#/ui/chart/units.ts'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { instanceQuery } from '#/features/instances/queries.ts'

/** Title, name and quantity of a metric; of distributions also the kind of work that they are about. */
export type MetricRow = readonly [title: string, metric: string, quantity: Quantity, ioKind?: string]

/** A kind of parts of an instance that are measured each for itself. */
export interface PartKind {
  target: string
  /** the field with the instance, and the one with the part */
  fields: { instance: string; part: string }
  metrics: readonly MetricRow[]
  words: {
    choose: string
    /** 'All disks' */
    all: string
    empty: { title: string; body: string }
  }
}

// Seconds between two samples of disks and network interfaces.
const sampled = 10
const perSecond = (sinceLast: number) => sinceLast / sampled

interface MetricsOfPartsProps {
  of: InstanceTarget
  parts: readonly { id: string; name: string }[]
  kind: PartKind
}

/** The charts of all parts together or of one of them. */
export function MetricsOfParts({ of, parts, kind }: MetricsOfPartsProps) {
  const { target, fields, metrics, words } = kind
  const { id: instanceId } = useLoaded(instanceQuery(of))
  const [chosen, setChosen] = useState('')
  const part = parts.find(({ id }) => id === chosen)
  if (parts.length === 0) return <EmptyState icon={<Activity />} {...words.empty} />
  return (
    <div className="flex flex-col gap-4">
      <ListboxField
        label={words.choose}
        hideLabel
        size="small"
        className="w-56"
        items={[
          { value: 'all', label: words.all },
          ...parts.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={part?.id ?? 'all'}
        onChange={setChosen}
      />
      <ChartGrid>
        {metrics.map(([title, metric, quantity, ioKind]) => (
          <MetricChart
            // Values of another part are no values of this one, not even for a moment.
            key={`${title} ${part?.id}`}
            project={of.project}
            title={title}
            quantity={quantity}
            query={{
              metric: `${target}:${metric}`,
              filters: { [fields.instance]: instanceId, [fields.part]: part?.id, io_kind: ioKind },
              isDistribution: ioKind !== undefined,
              every: sampled,
              groupBy: part ? undefined : fields.instance,
            }}
            label={part?.name ?? words.all}
            {...(ioKind === undefined ? { convert: perSecond } : {})}
          />
        ))}
      </ChartGrid>
    </div>
  )
}
