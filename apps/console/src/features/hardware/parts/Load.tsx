import { quotaLevel } from '@purlin/contract/rules/quotas'
import { Size } from '#/ui/value/Size.tsx'

const fills = { fine: 'bg-accent', warning: 'bg-busy', critical: 'bg-danger' }

/** The reserved part of a resource: a small bar and both amounts. */
export function Load({
  usable,
  reserved,
  isBytes = false,
}: {
  usable: number
  reserved: number
  isBytes?: boolean
}) {
  const percent = usable > 0 ? Math.min(100, (100 * reserved) / usable) : 0
  const amount = (value: number) => (isBytes ? <Size bytes={value} /> : value)
  return (
    <span className="inline-flex items-center gap-2">
      <span
        aria-hidden
        className="h-2 w-12 shrink-0 overflow-hidden rounded-[2px] border border-line bg-sunken"
      >
        <span
          className={`bar-fill block h-full ${fills[quotaLevel(reserved, usable)]}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="mono">
        {amount(reserved)} <span className="text-secondary">/ {amount(usable)}</span>
      </span>
    </span>
  )
}
