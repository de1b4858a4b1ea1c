import { useWatch } from 'react-hook-form'
import { cx } from '#/lib/text.ts'
import { Card } from '#/ui/layout/Card.tsx'
import { Fits } from '#/features/utilization/Fits.tsx'
import {
  isHardwareShort,
  isTooLarge,
  leftInQuota,
  leftOf,
  useUtilization,
  type Resource,
  type Utilization,
} from '#/features/utilization/quota.ts'
import { needOf, resources, type Need } from './values/quota.ts'
import type { SectionProps } from './values/sections.ts'

/** When a resource counts against the quota; memory stands for vCPUs as well. */
const notes: Partial<Record<Resource, string>> = {
  memory: 'vCPUs and memory count while the instance is running.',
  storage: 'Storage counts until the disks are deleted.',
}

/** The share of the instance in the silo's free quota. Hidden until the quota is known. */
export function QuotaPanel({
  form,
  of = ['cpus', 'memory', 'storage'],
}: Pick<SectionProps, 'form'> & { of?: readonly Resource[] }) {
  const values = useWatch({ control: form.control, compute: needOf })
  const utilization = useUtilization()
  if (!utilization) return null
  return (
    <Card title="Silo quota" description="Resources this instance will use" level={3} className="@container">
      <ul className="grid gap-x-6 gap-y-3.5 @lg:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]">
        {resources
          .filter(({ key }) => of.includes(key))
          .map((resource) => (
            <Meter key={resource.key} resource={resource} need={values} utilization={utilization} />
          ))}
      </ul>
      {of.includes('memory') && (
        <div className="mt-3.5">
          <Fits cpus={values.cpus} memory={values.memory} />
        </div>
      )}
      <p className="mt-3.5 text-hint text-secondary">{of.flatMap((key) => notes[key] ?? []).join(' ')}</p>
    </Card>
  )
}

interface MeterProps {
  resource: (typeof resources)[number]
  need: Need
  utilization: Utilization
}

function Meter({ resource: { key, noun, brief }, need, utilization }: MeterProps) {
  const left = leftOf(utilization, key)
  const capacity = Number(utilization.capacity[key])
  const isShort = need[key] > left || isTooLarge(utilization, key, need[key])
  const share = (amount: number) => `${capacity > 0 ? Math.min(100, (100 * amount) / capacity) : 0}%`
  return (
    <li>
      <div className="flex items-baseline gap-2">
        <span className="font-medium">{noun}</span>
        <span className="mono ml-auto">
          <span className={cx('font-medium', isShort && 'text-danger')}>{brief(need[key])}</span>
          <span className="text-secondary"> of {brief(left)} free</span>
        </span>
      </div>
      <div
        aria-hidden
        className="mt-1.5 flex h-1.5 overflow-hidden rounded-[2px] border border-line bg-sunken"
      >
        <span className="bg-line-strong" style={{ width: share(utilization.provisioned[key]) }} />
        {isShort ? (
          <span className="min-w-2 grow bg-danger" />
        ) : (
          need[key] > 0 && <span className="min-w-1 bg-accent" style={{ width: share(need[key]) }} />
        )}
      </div>
      <p className={cx('mt-1 text-hint', isShort ? 'text-danger' : 'text-secondary')}>
        {isShort
          ? need[key] <= leftInQuota(utilization, key)
            ? 'The hardware has no room for it now'
            : `${brief(need[key] - leftInQuota(utilization, key))} over the free quota`
          : isHardwareShort(utilization, key)
            ? `The hardware has less than the quota leaves (${brief(leftInQuota(utilization, key))})`
            : `${brief(utilization.provisioned[key])} of ${brief(capacity)} of the quota in use`}
      </p>
    </li>
  )
}
