/** A clock with which a host looks at what its machines take when a test says so, and never by itself. */
import type { Clock } from '@purlin/core/ports'
import { realClock } from '@purlin/sleds/suite/real-clock'
import { trimMs } from '../host/host.ts'

export function clockWithLooks(): { clock: Clock; look: () => void } {
  let next = () => {}
  const after: Clock['after'] = (ms, work) => {
    if (ms !== trimMs) return realClock.after(ms, work)
    next = work
    return () => undefined
  }
  return { clock: { ...realClock, after }, look: () => next() }
}
