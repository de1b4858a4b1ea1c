/**
 * Tasks: actions of a user on many resources. Users see their own tasks, and administrators those of their silo.
 * Decision 0043.
 */
import { kinds } from '@purlin/contract/rules/kinds'
import { digestOf } from '@purlin/contract/rules/events'
import { limits } from '@purlin/contract/rules/limits'
import { isReading } from '@purlin/contract/op'
import { snake } from '@purlin/contract/wire'
import { longActions, taskWords, type TaskResult, type TaskTags } from '@purlin/contract/rules/tasks'
import { taskType } from '@purlin/contract/rules/audit/deeds'
import { noteOther } from '#/audit/touched.ts'
import { sql } from 'kysely'
import { permits } from '#/auth/access.ts'
import { refuseEnded } from '#/auth/recent-session.ts'
import { permit, resolveUser } from '#/auth/resolve.ts'
import type { Ctx, Family, RequestContext } from '#/context.ts'
import { mapPage, pageByNumber, pageOfTasks } from '#/db/lists/pages.ts'
import { newRowId } from '#/db/row-id.ts'
import type { TaskItemTable, TaskTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { parameterOf, type Planned, type TaskSpec } from './task-items.ts'
import { planContents } from './plan-contents.ts'
import { plan, planned } from './task-plan.ts'
import { countsOf, noItems, prepare, type Counts } from './task-rows.ts'

const timeOf = (at: number | null) => (at === null ? null : new Date(at))

/** A task as clients see it. */
function taskView(task: TaskTable, { pending, ...counts }: Counts) {
  const {
    id,
    action,
    groupId,
    namePattern,
    tagsJson,
    state,
    total,
    at,
    timeStarted,
    timeEnded,
    message,
    retryOf,
    scheduleId,
  } = task
  const parameter = parameterOf(action)
  return {
    id,
    userId: task.userId,
    kind: kinds[task.kind].type,
    action,
    group: null,
    ...(parameter && { [parameter]: groupId }),
    namePattern,
    ...(tagsJson === null ? {} : { tags: JSON.parse(tagsJson) as TaskTags }),
    state: state === 'preparing' ? ('waiting' as const) : state,
    totalItems: total,
    ...counts,
    ...(hasEnded(task) ? { pending: 0, canceled: pending } : { pending, canceled: 0 }),
    message,
    timeCreated: new Date(at),
    timeStarted: timeOf(timeStarted),
    timeEnded: timeOf(timeEnded),
    retryOf,
    ...(scheduleId === null ? {} : { schedule: scheduleId }),
  }
}
/** True for one of which no further item is begun. */
const hasEnded = ({ state }: TaskTable): boolean => state !== 'waiting' && state !== 'running'

const itemView = (
  task: TaskTable,
  { itemId, name, operation, state, code, message, timeCompleted }: TaskItemTable,
) => ({
  id: itemId,
  name,
  ...(operation === null ? {} : { operation: snake(operation) }),
  result: state === 'pending' && hasEnded(task) ? ('canceled' as const) : state,
  code,
  message,
  timeCompleted: timeOf(timeCompleted),
})

/** The state that items with a result have; undefined for those that no item of the task can have. */
function stateFor(task: TaskTable, result: TaskResult): TaskItemTable['state'] | undefined {
  if (result === 'canceled') return hasEnded(task) ? 'pending' : undefined
  return result === 'pending' && hasEnded(task) ? undefined : result
}

const seen = (tx: Tx, userId: string) =>
  tx.selectFrom('task').where('userId', '=', userId).where('state', '!=', 'preparing')

/** An own task or, for administrators, one of a user of the silo. Throws 404. */
async function resolveTask(ctx: Ctx, id: string): Promise<TaskTable> {
  permit(ctx)
  const { tx, actor } = ctx
  const taskId = id.toLowerCase()
  const own = await seen(tx, actor.userId).selectAll().where('id', '=', taskId).executeTakeFirst()
  const ofSilo = own ?? (permits(actor, 'silo.admin') ? await taskOfSilo(ctx, taskId) : undefined)
  const task = ofSilo ?? (permits(actor, ofOperators(ctx.op)) ? await taskOfFleet(ctx, taskId) : undefined)
  if (!task) throw fault.notFound('task', id)
  return task
}

/** The role of operators who see the tasks of the fleet, or change them. */
const ofOperators = ({ method }: Ctx['op']) => (isReading(method) ? 'fleet.viewer' : 'fleet.admin')

const taskOfFleet = ({ tx }: Ctx, id: string): Promise<TaskTable | undefined> =>
  tx
    .selectFrom('task')
    .selectAll()
    .where('id', '=', id)
    .where('action', 'in', longActions)
    .where('state', '!=', 'preparing')
    .executeTakeFirst()

const taskOfSilo = ({ tx, actor }: Ctx, id: string): Promise<TaskTable | undefined> =>
  tx
    .selectFrom('task')
    .selectAll()
    .where('userId', 'in', (eb) =>
      eb.selectFrom('siloUser').select('siloUser.id').where('siloUser.siloId', '=', actor.siloId),
    )
    .where('id', '=', id)
    .where('state', '!=', 'preparing')
    .executeTakeFirst()

/** Why an item failed, without its name and id: those that failed for the same reason are counted together. */
const reason = sql<string>`replace(replace(coalesce(${sql.ref('message')}, ''),
  '"' || ${sql.ref('name')} || '"', '"…"'), ${sql.ref('itemId')}, '…')`

async function failuresOf(tx: Tx, taskId: string) {
  const rows = await tx
    .selectFrom('taskItem')
    .select((eb) => ['code', reason.as('message'), eb.fn.countAll<number | string>().as('count')])
    .where('taskId', '=', taskId)
    .where('state', '=', 'failed')
    .groupBy(['code', reason])
    .orderBy('count', 'desc')
    .limit(limits.task.listed)
    .execute()
  return rows.map(({ code, message, count }) => ({ code, message, count: Number(count) }))
}

function reasonsOf(items: readonly Planned[]) {
  const groups = Map.groupBy(items, ({ message }) => message ?? '')
  const reasons = [...groups].map(([message, all]) => ({
    code: all[0]?.code ?? null,
    message,
    count: all.length,
    names: all.slice(0, limits.task.named).map(({ name }) => name),
  }))
  return reasons.toSorted((a, b) => b.count - a.count).slice(0, limits.task.listed)
}

/** A digest of the ids of a task, and of the disks that are deleted with its instances, in any order. */
const digestOfItems = (items: readonly Planned[]): string =>
  digestOf(
    items
      .flatMap(({ state, itemId, diskIds = [] }) => (state === 'pending' ? [itemId, ...diskIds] : []))
      .toSorted()
      .join(' '),
  )

/** Notes a task for the audit log, by what it does. Entries about its items name the user, too. */
function noteTask({ unit }: Ctx, { id, kind, action, total }: TaskTable): void {
  const name = taskWords({ kind: kinds[kind].type, action, totalItems: total })
  noteOther(unit, { type: taskType, id, before: name, after: name })
}

/** Stores a task with its items, and begins it. `also` is done in the transaction that begins it, given its id. */
export async function begin(
  request: RequestContext,
  {
    spec,
    items,
    retryOf,
    scheduleId = null,
    also,
  }: {
    spec: TaskSpec
    items: readonly Planned[]
    retryOf: string | null
    /** The schedule whose run it is. */
    scheduleId?: string | null
    also?: (ctx: Ctx, id: string) => Promise<void>
  },
) {
  const { world, actor, now } = request
  const { userId = '', sessionId = '', authMethod = null } = actor ?? {}
  const preparing = {
    id: newRowId(world),
    userId,
    sessionId,
    authMethod,
    remote: request.remote,
    ...spec,
    retryOf,
    scheduleId,
    state: 'preparing' as const,
    total: items.length,
    leaseUntil: 0,
    timeStarted: null,
    timeEnded: null,
    countsJson: null,
    message: null,
  }
  const task = await prepare(world, preparing, { items, now })
  const ready = { ...task, state: 'waiting' as const }
  await request.transaction('write', async (ctx) => {
    permit(ctx, 'user')
    // A large task takes a while to prepare.
    await refuseEnded(ctx, request.credential)
    await ctx.tx
      .insertInto('task')
      .values(ready)
      .onConflict((on) => on.columns(['userId', 'id']).doUpdateSet({ state: ready.state }))
      .execute()
    noteTask(ctx, ready)
    await also?.(ctx, task.id)
    ctx.wake('tasks')
  })
  const skipped = items.filter(({ state }) => state === 'skipped').length
  return taskView(ready, { ...noItems, pending: items.length - skipped, skipped })
}

export const tasks: Family<
  'taskCreate' | 'taskPreview' | 'taskList' | 'taskView' | 'taskItemList' | 'taskCancel' | 'taskRetry'
> = {
  taskCreate: {
    async withoutTransaction(request, { body }) {
      const { spec, items } = await plan(request, body)
      if (body.digest != null && body.digest !== digestOfItems(items)) throw fault.matchesChanged()
      return begin(request, { spec, items, retryOf: null })
    },
  },

  taskPreview: {
    async withoutTransaction(request, { body }) {
      const { items } = await plan(request, body)
      const done = items.filter(({ state }) => state === 'pending')
      return {
        totalItems: items.length,
        skipped: reasonsOf(items.filter(({ state }) => state === 'skipped')),
        names: done.slice(0, limits.task.listed).map(({ name }) => name),
        digest: digestOfItems(items),
      }
    },
  },

  async taskList(ctx, { query: { user, ...query } }) {
    const { id } = await resolveUser(ctx, user ?? ctx.actor.userId)
    if (id !== ctx.actor.userId && !permits(ctx.actor, 'silo.admin')) throw fault.forbidden()
    const page = await pageOfTasks(ctx, query, seen(ctx.tx, id))
    const counts = new Map<string, Counts>()
    for (const task of page.items) counts.set(task.id, await countsOf(ctx.tx, task))
    return mapPage(page, (task) => taskView(task, counts.get(task.id) ?? noItems))
  },

  async taskView(ctx, { params }) {
    const task = await resolveTask(ctx, params.task)
    const counts = await countsOf(ctx.tx, task)
    return { ...taskView(task, counts), failures: await failuresOf(ctx.tx, task.id) }
  },

  async taskItemList(ctx, { params, query: { result, reason: message, ...query } }) {
    const task = await resolveTask(ctx, params.task)
    const every = ctx.tx.selectFrom('taskItem').selectAll().where('taskId', '=', task.id)
    const all =
      message === undefined ? every : every.where('state', '=', 'failed').where(reason, '=', message)
    const state = result && stateFor(task, result)
    if (result && !state) return { items: [], nextPage: null }
    const rows = state ? all.where('state', '=', state) : all
    const page = await pageByNumber(ctx, { ...query, order: 'ascending' }, { rows, column: 'position' })
    return mapPage(page, (item) => itemView(task, item))
  },

  async taskCancel(ctx, { params }) {
    const task = await resolveTask(ctx, params.task)
    const counts = await countsOf(ctx.tx, task)
    noteTask(ctx, task)
    if (hasEnded(task)) return taskView(task, counts)
    await ctx.tx
      .updateTable('task')
      .set({ state: 'canceled' })
      .where('userId', '=', task.userId)
      .where('id', '=', task.id)
      .execute()
    ctx.wake('tasks')
    return taskView({ ...task, state: 'canceled' }, counts)
  },

  taskRetry: {
    async withoutTransaction(request, { params }) {
      const { task, ids } = await request.transaction('read', async (ctx) => {
        const found = await resolveTask(ctx, params.task)
        // It would be done with the roles of the caller.
        if (found.userId !== ctx.actor.userId) throw fault.forbidden()
        if (found.timeEnded === null) throw fault.invalid('the task has not ended yet')
        return { task: found, ids: await idsToRetry(ctx.tx, found) }
      })
      const { kind, action, groupId, namePattern, tagsJson, scheduleId } = task
      const spec = { kind, action, groupId, namePattern, tagsJson }
      if (ids.length === 0) throw fault.invalid('no item of the task has failed or was canceled')
      // Planned again for the project, the last item: something may have been added to it.
      const again =
        action === 'delete_all' ? planContents(request, ids.slice(-1)) : planned(request, spec, ids)
      return begin(request, { spec, items: await again, retryOf: task.id, scheduleId })
    },
  },
}

async function idsToRetry(tx: Tx, { id, action }: TaskTable): Promise<string[]> {
  const rows = await tx
    .selectFrom('taskItem')
    .select('itemId')
    .where('taskId', '=', id)
    .where('state', 'in', ['failed', 'pending'])
    // The next run of a schedule deletes what is old then.
    .$if(action !== 'delete_all', (some) => some.where('operation', 'is', null))
    .orderBy('position')
    .execute()
  return rows.map(({ itemId }) => itemId)
}
