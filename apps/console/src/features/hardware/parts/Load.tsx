import { quotaLevel } from '@purlin/contract/rules/quotas'
import { sizeParts, twoDecimals } from '#/lib/format.ts'

const fills = { fine: 'bg-accent', warning: 'bg-busy', critical: 'bg-danger' }

interface LoadProps {
  usable: number
  reserved: number
  isBytes?: boolean
}

/** The reserved part of a resource: a small bar and both amounts, in the unit of the larger one. */
export function Load({ usable, reserved, isBytes = false }: LoadProps) {
  const percent = usable > 0 ? Math.min(100, (100 * reserved) / usable) : 0
  const { unit } = sizeParts(usable, {})
  const amount = (value: number) => twoDecimals(isBytes ? sizeParts(value, { unit }).value : value)
  return (
    <span className="inline-flex items-center gap-2">
      <span
        aria-hidden
        className="h-2 w-6 shrink-0 overflow-hidden rounded-[2px] border border-line bg-sunken"
      >
        <span
          className={`bar-fill block h-full ${fills[quotaLevel(reserved, usable)]}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="mono">
        {amount(reserved)}{' '}
        <span className="text-secondary">
          / {amount(usable)} {isBytes && unit}
        </span>
      </span>
    </span>
  )
}
