import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { BigNum } from './BigNum.tsx'
import { Percent } from './Percent.tsx'
import { Size } from './Size.tsx'

/** How much of something is used, in three lines: percentage, bar, two figures. `reserved` draws a tinted part beyond the used one. */
export interface CapacityBarProps {
  icon?: ReactNode
  title: string
  /** The unit; 'bytes' are written in the unit that suits each figure. */
  unit?: string
  used: number
  total: number
  reserved?: number
  usedLabel?: string
  totalLabel?: string
  /** Whether the figures repeat the unit. */
  showUnit?: boolean
  /** The colour of the used part: how near it is to the end. */
  level?: 'fine' | 'warning' | 'critical'
  /** Shown instead of a percentage of nothing. */
  none?: string
}

const fills = { fine: 'bg-accent', warning: 'bg-busy', critical: 'bg-danger' }

export function CapacityBar({
  icon,
  title,
  unit,
  used,
  total,
  reserved = 0,
  usedLabel = 'Provisioned',
  totalLabel = 'Capacity',
  showUnit = true,
  level = 'fine',
  none = '—',
}: CapacityBarProps) {
  const share = (part: number) => `${total > 0 ? Math.min(100, (100 * part) / total) : 0}%`
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-line bg-raised px-4 py-2">
      <div className="flex items-center gap-2">
        {icon && <span className="text-tertiary [&>svg]:size-4">{icon}</span>}
        <span className="label-mono">{title}</span>
        {unit && unit !== 'bytes' && <span className="mono text-secondary">({unit})</span>}
        <span className="mono ml-auto text-md">
          {total > 0 ? <Percent part={used} whole={total} /> : <span className="text-secondary">{none}</span>}
        </span>
      </div>
      <div
        role="meter"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(total, used)}
        aria-valuenow={used}
        className="flex h-1.5 overflow-hidden rounded-[2px] bg-line"
      >
        <span className={fills[level]} style={{ width: share(used) }} />
        <span
          className="bg-accent/30"
          style={{ width: share(Math.max(0, Math.min(reserved, total - used))) }}
        />
      </div>
      <dl className="flex flex-wrap justify-between gap-x-4">
        <Figure label={usedLabel} value={used} unit={showUnit ? unit : undefined} />
        <Figure label={totalLabel} value={total} unit={showUnit ? unit : undefined} />
      </dl>
    </div>
  )
}

function Figure({ label, value, unit }: { label: string; value: number; unit: string | undefined }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-hint text-secondary">{label}</dt>
      <dd className="mono text-sm">
        {unit === 'bytes' ? (
          <Size bytes={value} />
        ) : (
          <>
            <BigNum value={value} /> {unit && <span className="text-secondary">{unit}</span>}
          </>
        )}
      </dd>
    </div>
  )
}

/** In place of one whose figures are not known yet. */
export const CapacityBarLoading = () => <Skeleton className="h-18 rounded-lg" />
