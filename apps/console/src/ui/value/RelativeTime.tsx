import { serverNow } from '#/lib/clock.ts'
import { useEffect, useState } from 'react'
import { relativeShort } from '#/lib/format.ts'
import { ExactTime } from './DateTime.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** The time from or until now in one short unit (30s, 5m, 3h, 2d, 1w, 4mo, 2y); it updates itself. */
export function RelativeTime({ date, caption }: { date: Date; caption?: string }) {
  const [now, setNow] = useState(() => new Date(serverNow()))
  const isRecent = now.getTime() - date.getTime() < 60_000
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date(serverNow())), isRecent ? 1000 : 30_000)
    return () => window.clearInterval(timer)
  }, [isRecent])
  return (
    <Tooltip content={<ExactTime date={date} caption={caption} />} describes={false}>
      <time dateTime={date.toISOString()} className="whitespace-nowrap text-secondary tabular-nums">
        {relativeShort(date, now)}
      </time>
    </Tooltip>
  )
}
