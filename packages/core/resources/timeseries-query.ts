/** Queries over timeseries: those of a project, or of the whole fleet. */
import type { Operations } from '@purlin/contract/operations'
import type { Result } from '@purlin/contract/op'
import type { Family, FreeCtx, World } from '../context.ts'
import { fault } from '../faults.ts'
import { createBreath } from '../oxql/breath.ts'
import type { Scope } from '../oxql/query.ts'
import { QueryError } from '../oxql/syntax.ts'
import { oncePer } from '../once-per.ts'
import { createQueues } from '../queues.ts'
import { permit, resolve } from '../resolve.ts'
import { createTimeseriesReader } from '../timeseries/store-read.ts'

export const timeseriesQueries: Family<'timeseriesQuery' | 'systemTimeseriesQuery'> = {
  timeseriesQuery: {
    async free(ctx, { query, body }) {
      const project = await ctx.within('read', (within) => resolve(within, 'project', query))
      return answer(ctx, body.query, { siloId: project.siloId, projectId: project.id })
    },
  },

  systemTimeseriesQuery: {
    async free(ctx, { body }) {
      await ctx.within('read', (within) => Promise.resolve(permit(within)))
      return answer(ctx, body.query, null)
    },
  },
}

// A page of charts asks several things at once, and asks again before it has all answers.
const mostPerUser = { running: 4, waiting: 32 }
const queuesOf = oncePer((_world: World) => createQueues(mostPerUser, fault.tooManyQueries))

function answer(
  { world, actor, now }: FreeCtx,
  query: string,
  scope: Scope,
): Promise<Result<Operations['timeseriesQuery']>> {
  return queuesOf(world)(actor?.userId ?? '', async () => {
    // Its parser is large and is not needed to start.
    const { answerQuery } = await import('../oxql/query.ts')
    const reader = createTimeseriesReader(world)
    try {
      return { tables: await answerQuery(query, scope, { reader, now, breathe: createBreath(world.clock) }) }
    } catch (error) {
      throw error instanceof QueryError ? fault.invalid(error.message) : error
    }
  })
}
