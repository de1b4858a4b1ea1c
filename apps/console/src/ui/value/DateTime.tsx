import { useStore } from '#/lib/store.ts'
import { serverNow } from '#/lib/clock.ts'
import { formatDate, formatExact, formatTime, relativeLong } from '#/lib/format.ts'
import { zoneStore } from './timeZone.ts'
import { Tooltip } from '../overlay/Tooltip.tsx'

/**
 * A time: medium date and dimmer short time, with seconds if they matter, in the user's locale and chosen zone; the
 * exact value on hover.
 */
export function DateTime({
  date,
  caption,
  seconds = false,
}: {
  date: Date
  caption?: string
  seconds?: boolean
}) {
  const zone = useStore(zoneStore)
  const style = zone === 'utc' ? { timeZone: 'UTC' } : {}
  return (
    <Tooltip content={<ExactTime date={date} caption={caption} />} describes={false}>
      {/* On one line in the cell of a table; elsewhere it may be broken between date and time. */}
      <time dateTime={date.toISOString()} className="inline-block leading-tight tabular-nums">
        <span className="whitespace-nowrap">{formatDate(date, style)}</span>{' '}
        <span className="whitespace-nowrap text-secondary">{formatTime(date, { ...style, seconds })}</span>
      </time>
    </Tooltip>
  )
}

/** A time in full, with seconds and zone, and how long ago it was, for a tooltip. */
export function ExactTime({ date, caption }: { date: Date; caption?: string | undefined }) {
  return (
    <>
      {caption && <span className="block text-secondary">{caption}</span>}
      <span className="block">{formatExact(date)}</span>
      <span className="block">{relativeLong(date, new Date(serverNow()))}</span>
      <span className="mono block text-secondary">{date.toISOString()}</span>
    </>
  )
}
