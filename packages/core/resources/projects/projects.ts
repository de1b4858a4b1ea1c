/** Projects, which most resources belong to. A new one has a complete VPC named `default`. */
import { typeOf } from '@purlin/contract/rules/kinds'
import type { InstanceState } from '@purlin/contract/rules/states'
import { together } from '#/concurrency/together.ts'
import { lastChanges } from '../audit/last-changes.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import type { ProjectTable, Tx } from '#/db/tables.ts'
import { resolve } from '#/auth/resolve.ts'
import { plain, withDetails } from '../kind/plain.ts'
import { setting } from '../kind/setting.ts'
import type { Page } from '#/db/lists/pages.ts'
import { deleteContainer, identityView, insertNamed, newIdentity, newKept } from '../kind/rows.ts'
import { projectsSeen } from '#/auth/access.ts'
import { keepName } from '#/db/rows/usage-periods.ts'
import { usedOf } from '../silos/quotas.ts'
import { readPolicy, replacePolicy, type Governed } from '../access/policies.ts'
import { createVpc, defaultVpc, deleteUntouchedDefaultVpc } from '../vpcs/vpcs.ts'

const view = (row: Listed<'project'>) => identityView(row)

const project = plain('project', {
  view,
  // Members of single projects see those.
  seen({ actor }, rows) {
    const ids = projectsSeen(actor)
    return ids ? rows.where('id', 'in', ids) : rows
  },
  create,
  remove,
})

export const projects = {
  ...project.handlers,
  projectList,
  ...setting('projectPolicy', { of: governed, view: readPolicy, update: replacePolicy }),
}

async function projectList(ctx: Ctx, args: Parameters<typeof project.handlers.projectList>[1]) {
  if (!args.query.utilization) return project.handlers.projectList(ctx, args)
  return withUtilization(ctx, await project.handlers.projectList(ctx, { query: withDetails(args.query) }))
}

/** The projects of a page with what each has provisioned, its instances and when it last changed. */
async function withUtilization<V extends { id: string }>({ tx }: Ctx, page: Page<V>) {
  const ids = page.items.map(({ id }) => id)
  if (ids.length === 0) return page
  const [rows, states, changes] = await together([
    tx
      .selectFrom('usage')
      .leftJoin('tally', (join) =>
        join.onRef('tally.holderId', '=', 'usage.id').on('tally.kind', '=', 'instance'),
      )
      .select(['usage.id', 'usage.cpus', 'usage.memory', 'usage.storage', 'tally.count as instances'])
      .where('usage.id', 'in', ids)
      .execute(),
    statesIn(tx, ids),
    lastChanges(tx, ids),
  ])
  const uses = new Map(
    rows.map(({ id, instances, ...use }) => {
      const changed = changes.get(id)
      return [
        id,
        {
          instances: instances ?? 0,
          instancesByState: Object.fromEntries(states.get(id) ?? []),
          provisioned: usedOf(use),
          ...(changed === undefined ? {} : { timeLastChanged: new Date(changed) }),
        },
      ]
    }),
  )
  return {
    ...page,
    items: page.items.map((one) => {
      const utilization = uses.get(one.id)
      return utilization ? { ...one, utilization } : one
    }),
  }
}

/** The number of instances of projects in each state. An index has all of them. */
async function statesIn(tx: Tx, ids: readonly string[]): Promise<Map<string, [InstanceState, number][]>> {
  const rows = await tx
    .selectFrom('instance')
    .select(({ fn }) => ['projectId', 'runState', fn.countAll<number | string>().as('count')])
    .where('projectId', 'in', ids)
    .groupBy(['projectId', 'runState'])
    .orderBy('projectId')
    .orderBy('runState')
    .execute()
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId)
  return new Map(
    [...byProject].map(([id, some]) => [id, some.map(({ runState, count }) => [runState, Number(count)])]),
  )
}

async function governed(ctx: Ctx, { params }: { params: { project: string } }): Promise<Governed> {
  const { id, siloId } = await resolve(ctx, 'project', params)
  return { type: 'project', id, siloId }
}

async function create(
  ctx: Ctx,
  { id }: { id: string },
  body: BodyOf<'projectCreate'>,
): Promise<ProjectTable> {
  const row = { ...newIdentity(ctx, body), siloId: id, rcgen: 0, ...newKept(body) }
  await insertNamed(ctx, 'project', row)
  await ctx.tx.insertInto('usage').values({ id: row.id, cpus: 0, memory: 0, storage: 0 }).execute()
  await createVpc(ctx, row, defaultVpc)
  return row
}

async function remove(ctx: Ctx, project: ProjectTable): Promise<void> {
  // If anything else is in the project, the fault rolls this back as well.
  await deleteUntouchedDefaultVpc(ctx, project.id)
  await deleteContainer(ctx, ['project', project], ({ kind, name }) =>
    fault.projectNotEmpty(typeOf(kind, { projectId: project.id }).replaceAll('-', ' '), name),
  )
  await ctx.tx.deleteFrom('usage').where('id', '=', project.id).execute()
  await keepName(ctx, 'inProject', project)
  await ctx.tx.deleteFrom('accessToken').where('onlyProjectId', '=', project.id).execute()
  await ctx.tx
    .deleteFrom('roleAssignment')
    .where('resourceType', '=', 'project')
    .where('resourceId', '=', project.id)
    .execute()
}
