/** Reports of what the resources of a project, a silo or the fleet used. */
import { dayMs, usageLimits } from '@purlin/contract/rules/usage/reports'
import { tagKeyProblem } from '@purlin/contract/rules/tags'
import type { Operations } from '@purlin/contract/operations'
import type { Parsed } from '@purlin/contract/op'
import { permit, resolve, resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, Family } from '#/context.ts'
import { wholeSecond } from '#/db/rows/usage-periods.ts'
import { mapPage } from '#/db/lists/pages.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { checkPeriod } from '../lists/period.ts'
import { costOf } from './cost.ts'
import { pricesIn } from './prices.ts'
import { pageOfSums, type Sum } from './sum-pages.ts'
import type { Part, Scope } from './sums.ts'

type Query = Parsed<Operations['usageReport']>['query']

export const usage: Family<'usageReport' | 'projectUsageReport' | 'systemUsageReport'> = {
  async usageReport(ctx, { query }) {
    permit(ctx)
    return report(ctx, query, { inSilo: ctx.actor.siloId })
  },

  async projectUsageReport(ctx, { params, query }) {
    const { id } = await resolve(ctx, 'project', params)
    return report(ctx, query, { inProject: id })
  },

  async systemUsageReport(ctx, { query }) {
    permit(ctx)
    const silo = query.silo == null ? undefined : await resolveInFleet(ctx, 'silo', query.silo)
    return report(ctx, query, silo ? { inSilo: silo.id } : {})
  },
}

async function report(ctx: Ctx, query: Query, scope: Scope) {
  const span = spanOf(ctx.now, query)
  const { by = [], tag } = query
  const parts: Part[] = [
    ...(by.includes('silo') ? (['inSilo'] as const) : []),
    ...(by.includes('project') ? (['inProject'] as const) : []),
    ...(tag === undefined ? [] : (['tag'] as const)),
  ]
  const problem = tag === undefined ? undefined : tagKeyProblem(tag)
  if (problem !== undefined) throw fault.invalidValue('tag', problem)
  const page = await pageOfSums(ctx, query, { scope, span, parts, tag, byDay: by.includes('day') })
  const names = await namesOf(ctx.tx, page.items)
  const prices = await pricesIn(ctx.tx)
  return mapPage(page, (sum) => viewOf(sum, names, costOf(sum, prices)))
}

/** Whole seconds, up to now. Throws 400 for a time that is too long, or of which nothing is known any more. */
function spanOf(now: number, query: Query): { from: number; until: number } {
  checkPeriod(query)
  const { keptDays, days } = usageLimits
  const from = wholeSecond(query.startTime.getTime())
  const end = wholeSecond(query.endTime.getTime())
  if (end - from > days * dayMs) throw fault.invalidValue('end_time', `a report has at most ${days} days`)
  if (from < now - keptDays * dayMs)
    throw fault.invalidValue('start_time', `use is known for the last ${keptDays} days`)
  return { from, until: Math.min(end, wholeSecond(now)) }
}

function viewOf(
  { siloId, projectId, tagValue, day, ...amounts }: Sum,
  names: ReadonlyMap<string, string>,
  cost: object,
) {
  const named = (field: 'silo' | 'project', id: string | undefined) => {
    const name = names.get(id ?? '')
    return id === undefined
      ? {}
      : { [`${field}Id`]: id, ...(name === undefined ? {} : { [`${field}Name`]: name }) }
  }
  return {
    ...named('silo', siloId),
    ...named('project', projectId),
    ...(tagValue === undefined ? {} : { tagValue }),
    ...(day === undefined ? {} : { day: new Date(day) }),
    ...amounts,
    ...cost,
  }
}

/** The names of projects and silos, also of those that are deleted. */
async function namesOf(tx: Tx, sums: readonly Sum[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const ids = {
    silo: [...new Set(sums.flatMap(({ siloId }) => siloId ?? []))],
    project: [...new Set(sums.flatMap(({ projectId }) => projectId ?? []))],
  }
  for (const table of ['silo', 'project'] as const)
    for (const from of ids[table].length === 0 ? [] : (['formerName', table] as const)) {
      const rows = await tx.selectFrom(from).select(['id', 'name']).where('id', 'in', ids[table]).execute()
      for (const { id, name } of rows) names.set(id, name)
    }
  return names
}
