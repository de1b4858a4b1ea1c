/** Queries over timeseries, of a project or of the whole fleet, and the schemas of timeseries. */
import type { Operations } from '@purlin/contract/operations'
import type { Result } from '@purlin/contract/op'
import type { Family, RequestContext } from '#/context.ts'
import { fault } from '#/faults.ts'
import { createCheckpoint } from '#/oxql/checkpoint.ts'
import type { Scope } from '#/oxql/query.ts'
import { QueryError } from '#/oxql/syntax.ts'
import { mapPage, pageByKey } from '#/db/lists/pages.ts'
import { permit, resolve } from '#/auth/resolve.ts'
import type { Schema } from '#/timeseries/model.ts'
import { schemas } from '#/timeseries/schemas.ts'
import { createTimeseriesReader } from '#/timeseries/store-read.ts'
import { inQueue } from './query-queues.ts'

const allSchemas = [...schemas.values()]
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

export const timeseries: Family<'timeseriesQuery' | 'systemTimeseriesQuery' | 'systemTimeseriesSchemaList'> =
  {
    timeseriesQuery: {
      async withoutTransaction(ctx, { query, body }) {
        const project = await ctx.transaction('read', (inner) => resolve(inner, 'project', query))
        return answer(ctx, body.query, { siloId: project.siloId, projectId: project.id })
      },
    },

    systemTimeseriesQuery: {
      async withoutTransaction(ctx, { body }) {
        await ctx.transaction('read', (inner) => Promise.resolve(permit(inner)))
        return answer(ctx, body.query, null)
      },
    },

    async systemTimeseriesSchemaList(ctx, { query }) {
      permit(ctx)
      return mapPage(pageByKey(ctx, query, { items: allSchemas, keyOf: (schema) => schema.name }), schemaView)
    },
  }

function answer(
  ctx: RequestContext,
  query: string,
  scope: Scope,
): Promise<Result<Operations['timeseriesQuery']>> {
  const { world, now, signal } = ctx
  return inQueue(ctx, async () => {
    const withinTime = createCheckpoint(world.clock)
    const checkpoint = (points: number) => {
      if (signal?.aborted) throw fault.clientGone()
      return withinTime(points)
    }
    // Its parser is large and is not needed to start.
    const { answerQuery } = await import('#/oxql/query.ts')
    const reader = createTimeseriesReader(world)
    try {
      return { tables: await answerQuery(query, scope, { reader, now, checkpoint }) }
    } catch (error) {
      throw error instanceof QueryError ? fault.invalid(error.message) : error
    }
  })
}
