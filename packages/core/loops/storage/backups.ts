/** Makes the scheduled backups. Servers with the same schedule share it: each backup is made by one of them. */
import type { World } from '#/context.ts'
import {
  endSchedule,
  keepSchedule,
  recordBackup,
  recordFailure,
  retryMs,
  scheduleIn,
  takeDue,
} from '#/resources/backups/schedule.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import type { Loop } from '../loop.ts'

const longestMs = 24 * 60 * 60_000

/** The loop. The server with that duty and without a schedule ends the schedule that there was. */
export function makeBackups(world: World): Loop {
  const { engine, clock, backups, log } = world
  let stopped = false
  return {
    name: 'backups',
    stop: () => (stopped = true),
    async round() {
      if (!backups) {
        if (hostLeasesOf(world).has('server') && (await engine.transaction('read', scheduleIn)))
          await engine.transaction('write', endSchedule)
        return clock.now() + longestMs
      }
      const began = clock.now()
      const { waitUntil } = await engine.transaction('write', async (tx) => {
        await keepSchedule(tx, backups.everyMs, began)
        return takeDue(tx, began)
      })
      // Another server may change it.
      if (waitUntil !== null) return Math.min(waitUntil, began + retryMs)
      try {
        const made = await backups.make(() => stopped)
        if (!made) return began + retryMs
        await engine.transaction('write', (tx) => recordBackup(tx, { ...made, began, ended: clock.now() }))
        log.info({ backup: made.id, bytes: made.bytes, newBytes: made.newBytes }, 'a backup was made')
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        // A server that ends leaves it to the next one.
        if (stopped) return clock.now()
        log.error({ reason }, 'the scheduled backup failed')
        await engine.transaction('write', (tx) => recordFailure(tx, reason, clock.now()))
      }
      return clock.now()
    },
  }
}
