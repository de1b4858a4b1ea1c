/** What was provisioned when, and which timeseries there are. */
import { isUuid } from '@purlin/contract/rules/names'
import type { Ctx, Family } from '../context.ts'
import { fault } from '../faults.ts'
import { fleetId } from '../fleet.ts'
import { mapPage, pageByKey, pageByTime, type Page } from '../pages.ts'
import { permit, resolve } from '../resolve.ts'
import type { Schema } from '../timeseries/model.ts'
import { schemas } from '../timeseries/schemas.ts'
import type { UsageMetric } from '../timeseries/usage-samples.ts'

const all = [...schemas.values()]
const schemaView = (schema: Schema) => ({
  timeseriesName: schema.name,
  description: schema.description,
  fieldSchema: schema.fields.map(({ name, type, source, description }) => ({
    name,
    fieldType: type,
    source,
    description,
  })),
  datumType: schema.datum,
  version: schema.version,
  authzScope: schema.scope,
  units: schema.units,
  created: new Date(schema.created),
})

export const metrics: Family<'siloMetric' | 'systemMetric' | 'systemTimeseriesSchemaList'> = {
  async siloMetric(ctx, { params, query }) {
    if (query.project == null) {
      permit(ctx, 'silo.viewer')
      return samplesOf(ctx, { id: ctx.actor.siloId, metric: params.metricName }, query)
    }
    const { id } = await resolve(ctx, 'project', { project: query.project })
    return samplesOf(ctx, { id, metric: params.metricName }, query)
  },

  async systemMetric(ctx, { params, query }) {
    permit(ctx)
    const id = query.silo == null ? fleetId : await siloId(ctx, query.silo)
    return samplesOf(ctx, { id, metric: params.metricName }, query)
  },

  async systemTimeseriesSchemaList(ctx, { query }) {
    permit(ctx)
    return mapPage(pageByKey(ctx, query, { items: all, keyOf: (schema) => schema.name }), schemaView)
  },
}

interface Stretch {
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
  query: Stretch,
): Promise<Page<Sample>> {
  const rows = ctx.tx
    .selectFrom('usageSample')
    .select(['at', 'value'])
    .where('id', '=', of.id)
    .where('metric', '=', of.metric)
    .where('at', '>=', query.startTime.getTime())
    .where('at', '<', query.endTime.getTime())
  return mapPage(await pageByTime(ctx, query, rows), ({ at, value }) => ({
    timestamp: new Date(at),
    datum: { type: 'i64', datum: value },
  }))
}

async function siloId(ctx: Ctx, silo: string): Promise<string> {
  const byId = isUuid(silo)
  const row = await ctx.tx
    .selectFrom('silo')
    .select('id')
    .where(byId ? 'id' : 'name', '=', byId ? silo.toLowerCase() : silo)
    .executeTakeFirst()
  if (!row) throw fault.notFound('silo', silo)
  return row.id
}
