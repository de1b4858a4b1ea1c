/** Adds what requests have recorded to the audit log, and removes entries that have been kept long enough. */
import type { World } from '#/context.ts'
import { expire } from '#/audit/retention.ts'
import { sequence } from '#/audit/sequence.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import type { Loop } from './loop.ts'

// Requests within one second share a round. A request that reads the log runs it immediately.
const everyMs = 1_000
const leftoverMs = 5_000
const longestMs = 10 * 60_000
const expireEveryMs = 60 * 60_000

export function keepAuditLog(world: World): Loop {
  const { clock, lookMs = longestMs } = world
  const leases = hostLeasesOf(world)
  let nextAt = 0
  let expireAt = 0
  return {
    name: 'audit',
    async round() {
      if (clock.now() < nextAt) return nextAt
      // Another server does it, unless it is away.
      const isOwn = leases.has('server')
      const hasMore = await sequence(world, isOwn ? Infinity : clock.now() - leftoverMs)
      if (isOwn && clock.now() >= expireAt && !(await expire(world))) expireAt = clock.now() + expireEveryMs
      nextAt = hasMore ? 0 : clock.now() + everyMs
      return hasMore ? clock.now() : clock.now() + lookMs
    },
  }
}
