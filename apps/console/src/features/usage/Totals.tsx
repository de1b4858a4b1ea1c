import { inHundredths } from '#/lib/format.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { amounts, hoursOf, type Sum } from './report.ts'

/** All that was used in the time of a report, and what it costs. */
export function Totals({ sum, isLoading }: { sum: Sum | undefined; isLoading: boolean }) {
  if (isLoading) return <Skeleton className="h-[76px] w-full rounded-lg" />
  return (
    <dl
      aria-label="Totals"
      className="flex flex-wrap gap-x-10 gap-y-3 rounded-lg border border-line bg-raised px-4 py-3"
    >
      {amounts.map(({ field, title, unit }) => (
        <Total key={field} title={title} unit={unit}>
          <BigNum value={Math.round(hoursOf(sum, field) * 100) / 100} />
        </Total>
      ))}
      {sum?.cost !== undefined && (
        <Total title="Cost" unit={sum.currency ?? ''}>
          {inHundredths(Number(sum.cost))}
        </Total>
      )}
    </dl>
  )
}

function Total({ title, unit, children }: { title: string; unit: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="label-mono">{title}</dt>
      <dd className="mono text-lg">
        {children} <span className="text-hint text-secondary">{unit}</span>
      </dd>
    </div>
  )
}
