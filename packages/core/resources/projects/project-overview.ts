/** An overview of a project. It reads the same lists as their pages, with their limits. */
import { keysOf } from '@purlin/contract/rules/keys'
import { countedKinds } from '@purlin/contract/operations/projects/projects'
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { resolve } from '#/auth/resolve.ts'
import { together } from '#/concurrency/together.ts'
import type { Ctx, Family } from '#/context.ts'
import { kindRows, rowsOf } from '#/db/kinds.ts'
import { pageByName } from '#/db/lists/pages.ts'
import { failingRuns } from '../schedules/runs.ts'
import { readUse, readUtilization } from '../silos/quotas.ts'
import { failingSchedules } from '../storage/snapshot-schedules.ts'
import { sql } from 'kysely'

type Counted = (typeof countedKinds)[number]

/** The states of failed resources. */
const failed = { instance: 'failed', disk: 'faulted', snapshot: 'faulted' } as const
type Failing = keyof typeof failed

export const overviews: Family<'projectOverview'> = {
  async projectOverview(ctx, { params }) {
    const { id, siloId } = await resolve(ctx, 'project', params)
    const [provisioned, { used, quota }, resources] = await together([
      readUse(ctx, id),
      readUtilization(ctx, siloId),
      together(countedKinds.map((kind) => countsOf(ctx, kind, id))),
    ])
    const failures = await together([
      ...keysOf(failed).map((kind) => failuresOf(ctx, kind, id)),
      failingIn(ctx, id),
    ])
    return {
      resources,
      provisioned,
      siloProvisioned: used,
      siloCapacity: quota,
      failures: failures.flat().slice(0, limits.overview.failures),
    }
  },
}

/** A page of a kind's list in a project. */
function pageIn(ctx: Ctx, query: PageQuery, { kind, projectId }: { kind: Counted; projectId: string }) {
  const { table, parent } = kindRows[kind]
  const rows = rowsOf(ctx.tx, kind).where(sql.ref(parent), '=', projectId)
  return pageByName(ctx, query, { rows, table, holder: projectId })
}

async function countsOf(ctx: Ctx, kind: Counted, projectId: string) {
  const { totalItems, totals = {} } = await pageIn(ctx, { limit: 1, total: true }, { kind, projectId })
  return {
    kind: kinds[kind].type,
    ...(totalItems === undefined ? {} : { totalItems }),
    totals: shownOf(totals),
  }
}

async function failuresOf(ctx: Ctx, kind: Failing, projectId: string) {
  const query = { limit: limits.overview.failures, filter: [`state:${failed[kind]}`] }
  const { items } = await pageIn(ctx, query, { kind, projectId })
  // The builder cannot know the columns of a table in a variable.
  const rows = items as object[] as { id: string; name: string; lastError?: string | null }[]
  return rows.map(({ id, name, lastError = null }) => ({
    kind: kinds[kind].type,
    id,
    name,
    state: failed[kind],
    message: lastError,
  }))
}

/** The schedules whose last run has failed. */
async function failingIn({ tx }: Ctx, projectId: string) {
  const of = { most: limits.overview.failures, projectId }
  const [runs, ofDisks] = await together([failingRuns(tx, of), failingSchedules(tx, of)])
  return [
    ...runs.map(({ id, name, lastError }) => ({
      kind: kinds.schedule.type,
      id,
      name,
      state: 'failing',
      message: lastError,
    })),
    ...ofDisks.map(({ id, name, lastError }) => ({
      kind: kinds.disk.type,
      id,
      name,
      state: 'failing',
      message: `its snapshot schedule fails: ${lastError}`,
    })),
  ]
}

/** Whether resources are protected says nothing about how the project is. */
function shownOf(totals: Record<string, Record<string, number>>) {
  return Object.fromEntries(Object.entries(totals).filter(([column]) => column !== 'protected'))
}
