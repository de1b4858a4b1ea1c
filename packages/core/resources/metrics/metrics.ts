/** The history of provisioned resources. */
import type { Ctx, Family } from '#/context.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { mapPage, pageByTime, type Page } from '#/db/lists/pages.ts'
import { permit, resolve, resolveInFleet, resolveScope } from '#/auth/resolve.ts'
import type { UsageMetric } from '#/timeseries/usage-samples.ts'
import { checkPeriod } from '../lists/period.ts'

export const metrics: Family<'siloMetric' | 'systemMetric' | 'sledMetric'> = {
  async siloMetric(ctx, { params, query }) {
    const { id } = await resolveScope(ctx, query)
    return samplesOf(ctx, { id, metric: params.metricName }, query)
  },

  async systemMetric(ctx, { params, query }) {
    permit(ctx)
    const { id } = query.silo == null ? { id: fleetId } : await resolve(ctx, 'silo', { silo: query.silo })
    return samplesOf(ctx, { id, metric: params.metricName }, query)
  },

  async sledMetric(ctx, { params, query }) {
    const { id } = await resolveInFleet(ctx, 'sled', params.sledId)
    checkPeriod(query)
    const rows = ctx.tx
      .selectFrom('sledLoad')
      .select(['at', `${params.metricName} as value`])
      .where('sledId', '=', id)
      .where('at', '>=', query.startTime.getTime())
      .where('at', '<', query.endTime.getTime())
    const unit = params.metricName === 'threads' ? 100 : 1
    return mapPage(await pageByTime(ctx, query, rows), ({ at, value }) => ({
      timestamp: new Date(at),
      datum: { type: 'f64' as const, datum: value / unit },
    }))
  },
}

interface Range {
  startTime: Date
  endTime: Date
  order: 'ascending' | 'descending'
  limit?: number | undefined
  pageToken?: string | undefined
}
interface Sample {
  timestamp: Date
  datum: { type: 'i64'; datum: number }
}

async function samplesOf(
  ctx: Ctx,
  of: { id: string; metric: UsageMetric },
  query: Range,
): Promise<Page<Sample>> {
  checkPeriod(query)
  const rows = ctx.tx
    .selectFrom('usageSample')
    .select(['at', 'value'])
    .where('id', '=', of.id)
    .where('metric', '=', of.metric)
    .where('at', '>=', query.startTime.getTime())
    .where('at', '<', query.endTime.getTime())
  return mapPage(await pageByTime(ctx, query, rows), ({ at, value }) => ({
    timestamp: new Date(at),
    datum: { type: 'i64', datum: Number(value) },
  }))
}
