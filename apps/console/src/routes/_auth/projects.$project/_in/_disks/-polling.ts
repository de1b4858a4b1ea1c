import { diskTransitional } from '@purlin/contract/rules/disk'
import { useRef } from 'react'
import type { PageOf } from '../../../../../parts/QueryTable.tsx'
import type { Disk } from './-diskActions.tsx'

const often = 3_000
const seldom = 60_000
const fastWindow = 30_000

interface Polling {
  /** `id|state` of the disks that were on their way at the last look. */
  moving: readonly string[]
  /** ms; when one last set out. */
  since: number
}

/**
 * Looks at the disks shown and says when to ask again, in ms; false if none is on its way. One that sets out
 * opens a window in which the list asks often. Looking twice at the same disks changes nothing.
 */
export function pollAfter(
  last: Polling,
  disks: readonly Pick<Disk, 'id' | 'state'>[],
  now: number,
): Polling & { interval: number | false } {
  const moving = disks
    .filter(({ state }) => diskTransitional.includes(state.state))
    .map(({ id, state }) => `${id}|${state.state}`)
  const since = moving.some((key) => !last.moving.includes(key)) ? now : last.since
  if (moving.length === 0) return { moving, since, interval: false }
  return { moving, since, interval: now - since < fastWindow ? often : seldom }
}

/** The `refetchInterval` of a list of disks. */
export function useDiskPolling(): (page: PageOf<Disk> | undefined) => number | false {
  const last = useRef<Polling>({ moving: [], since: 0 })
  return (page) => {
    const next = pollAfter(last.current, page?.items ?? [], Date.now())
    last.current = next
    return next.interval
  }
}
