import { isOneOf, keysOf } from '@purlin/contract/rules/keys'
import { useEffect, useEffectEvent, useState } from 'react'
import { ownNow } from '#/lib/clock.ts'
import { formatTick } from '#/lib/format.ts'
import { useZone } from '#/ui/chart/useZone.ts'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { RefreshButton } from '#/ui/button/RefreshButton.tsx'

const seconds = { Off: 0, '10s': 10, '1m': 60, '2m': 120, '5m': 300 }
type Interval = keyof typeof seconds
const items = Object.keys(seconds).map((value) => ({ value, label: value }))

/** How often a page reloads its charts, and when it last did. A range that does not end now is reloaded only on demand. */
export function IntervalPicker({
  isFixed,
  isRefreshing,
  updated,
  pause,
  onTick,
}: {
  isFixed: boolean
  isRefreshing: boolean
  /** ms since 1970; 0 for not yet */
  updated: number
  /** ms from one automatic reading to the next at least */
  pause: number
  onTick: () => void
}) {
  const [interval, setInterval] = useState<Interval>('10s')
  const style = useZone()
  const shown = isFixed ? 'Off' : interval
  // A reload that starts before the last one has finished could cancel it every time.
  useTicks(seconds[shown], () => {
    if (!isRefreshing && ownNow() - updated >= pause) onTick()
  })
  const isSlowed = seconds[shown] > 0 && pause > seconds[shown] * 1000
  return (
    <div className="flex items-center gap-2 text-hint text-secondary">
      <RefreshButton size="small" onRefresh={onTick} isRefreshing={isRefreshing} />
      <ListboxField
        label="Refresh interval"
        hideLabel
        size="small"
        className="w-20"
        items={items}
        value={shown}
        onChange={(next) => isOneOf(keysOf(seconds), next) && setInterval(next)}
        disabledReason={isFixed && 'A custom range is not refreshed'}
      />
      {updated > 0 && (
        <span className="tabular-nums">
          {isFixed && 'A custom range is not refreshed. '}
          {isSlowed && 'A long range is refreshed less often. '}Updated{' '}
          {formatTick(new Date(updated), { second: true }, style)}
        </span>
      )}
    </div>
  )
}

/** Calls `tick` every `every` seconds while the page is visible; never for 0. */
function useTicks(every: number, tick: () => void): void {
  const latest = useEffectEvent(() => {
    if (!document.hidden) tick()
  })
  useEffect(() => {
    if (every === 0) return
    const timer = window.setInterval(latest, every * 1000)
    return () => window.clearInterval(timer)
  }, [every])
}
