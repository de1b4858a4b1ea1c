import type { ReactNode } from 'react'
import { BigNum } from './BigNum.tsx'
import { Percent } from './Percent.tsx'
import { Size } from './Size.tsx'

/** How much of something is used: percentage, bar, two figures. `reserved` draws a tinted part beyond the used one. */
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
    <div className="rounded-lg border border-line bg-raised">
      <div className="flex items-center gap-2 px-4 pt-3">
        {icon && <span className="text-tertiary [&>svg]:size-4">{icon}</span>}
        <span className="label-mono">{title}</span>
        {unit && unit !== 'bytes' && <span className="mono text-secondary">({unit})</span>}
        <span className="mono ml-auto text-md">
          {total > 0 ? <Percent part={used} whole={total} /> : <span className="text-secondary">{none}</span>}
        </span>
      </div>
      <div className="px-4 pt-2.5 pb-3">
        <div
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={Math.max(total, used)}
          aria-valuenow={used}
          className="flex h-2 overflow-hidden rounded-[2px] border border-line bg-sunken"
        >
          <span className={fills[level]} style={{ width: share(used) }} />
          <span
            className="bg-accent/30"
            style={{ width: share(Math.max(0, Math.min(reserved, total - used))) }}
          />
        </div>
      </div>
      <dl className="grid grid-cols-2 border-t border-line-faint">
        <Figure label={usedLabel} value={used} unit={showUnit ? unit : undefined} />
        <Figure label={totalLabel} value={total} unit={showUnit ? unit : undefined} />
      </dl>
    </div>
  )
}

function Figure({ label, value, unit }: { label: string; value: number; unit: string | undefined }) {
  return (
    <div className="border-line-faint px-4 py-2.5 not-first:border-l">
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
