/** The reads of the overview of the fleet. */
import { auditLogList } from '@purlin/contract/operations/audit/audit-log'
import { systemOverview } from '@purlin/contract/operations/hardware/overview'
import type { Result } from '@purlin/contract/op'
import { query } from '#/api/query.ts'
import { serverNow } from '#/lib/clock.ts'

export type FleetOverview = Result<typeof systemOverview>

const pollMs = 60_000
const dayMs = 24 * 60 * 60_000
const daysOfChanges = 30
const fewChanges = 8

export const fleetQuery = () => ({
  ...query(systemOverview, {}),
  throwOnError: false,
  refetchInterval: pollMs,
})

/** The last changes by operators. The beginning is the same all day, so that the answer can be kept. */
export const fleetChangesQuery = () => {
  const today = Math.floor(serverNow() / dayMs) * dayMs
  return query(auditLogList, {
    query: {
      startTime: new Date(today - daysOfChanges * dayMs),
      sortBy: 'time_and_id_descending' as const,
      fleetOnly: true,
      result: 'success' as const,
      limit: fewChanges,
    },
  })
}
