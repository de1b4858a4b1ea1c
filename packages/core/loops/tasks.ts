/**
 * Runs tasks. Each item is an operation of the user who created the task, with their roles at that moment. Its result
 * is stored in the same transaction, so that it runs exactly once. Decision 0043.
 */
import type { ApiResponse } from '@purlin/contract/http'
import { actorsOf } from '#/auth/people.ts'
import { yieldToEventLoop } from '#/concurrency/checkpoints.ts'
import type { Actor, AskAs, World } from '#/context.ts'
import { traced } from '#/db/engine.ts'
import type { TaskItemTable, TaskTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { kinds } from '@purlin/contract/rules/kinds'
import { kindOfStep, longActions, skipReason } from '@purlin/contract/rules/tasks'
import { isTransitional } from '@purlin/contract/rules/states'
import { checkStep } from '#/resources/tasks/plan-contents.ts'
import { stateOfLong } from '#/resources/tasks/running-items.ts'
import { markMade, reasonToKeep } from '#/resources/schedules/old-snapshots.ts'
import { noteRunEnded } from '#/resources/schedules/runs.ts'
import { requestFor } from '#/resources/tasks/task-items.ts'
import { countsOf, tidyTasks, trimTasks } from '#/resources/tasks/task-rows.ts'
import { takeOverMs } from '#/db/rows/leases.ts'
import { outageMs, type Loop } from './loop.ts'

// Items of a task that are under way at a time, and tasks that a server works on at a time, each of another person.
const itemsAtOnce = 8
/** Disks are attached one after the other, so that their order at the instance is that of the items. */
const widthOf = (action: TaskTable['action']): number => (action === 'attach' ? 1 : itemsAtOnce)
const tasksAtOnce = 8
const openAtMost = 500
const tidyEveryMs = 3_600_000
const longestMs = 10 * 60_000
/** How often to look at tasks that wait for what their items have begun: its end wakes the loop too. */
const waitMs = 5_000

type Item = TaskItemTable
type Outcome = { item: Item; failure: { code: string | null; message: string }; isSkipped?: true }
/** Of a round of a task: the database is away, or nothing can be done until an item that is running has ended. */
type Progress = 'some' | 'waits' | 'away'

/** The loop. Servers share the tasks by leases. */
export function carryOutTasks(world: World, askAs: AskAs): Loop {
  const { engine, clock, lookMs = longestMs } = world
  const held = new Map<string, number>()
  const work = createWork(world, askAs, (task) => held.delete(task.id))
  let isStopped = false
  let tidyAt = 0

  /** Claims tasks that no server works on. Returns when the first of the others can be claimed, or Infinity. */
  async function take(): Promise<{ mine: TaskTable[]; next: number }> {
    const open = await engine.transaction('read', openTasks)
    for (const id of held.keys()) if (!open.some((one) => one.id === id)) held.delete(id)
    const now = clock.now()
    const mine: TaskTable[] = []
    const busy = new Set<string>()
    let next = Infinity
    for (const task of open) {
      const line = lineOf(task)
      if (!held.has(task.id) && task.leaseUntil > now) {
        next = Math.min(next, task.leaseUntil)
        busy.add(line)
      } else if (!busy.has(line) && mine.length < tasksAtOnce && (await lease(task))) {
        busy.add(line)
        mine.push(task)
      }
    }
    return { mine, next }
  }

  /** False if another server has just taken it. */
  async function lease(task: TaskTable): Promise<boolean> {
    const now = clock.now()
    const since = held.get(task.id)
    if (since !== undefined && now < since + takeOverMs / 2) return true
    const isTaken = await engine.transaction('write', (tx) => renew(tx, task, now))
    if (isTaken) held.set(task.id, now)
    else held.delete(task.id)
    return isTaken
  }

  /** Releases its claims, so that another server continues immediately. */
  async function release(): Promise<void> {
    const ids = [...held.keys()]
    held.clear()
    if (ids.length > 0)
      await engine.transaction('write', (tx) =>
        tx.updateTable('task').set({ leaseUntil: 0 }).where('id', 'in', ids).execute(),
      )
  }

  return {
    name: 'tasks',
    async round() {
      if (clock.now() >= tidyAt) {
        await tidyTasks(world)
        tidyAt = clock.now() + tidyEveryMs
      }
      for (;;) {
        const { mine, next } = isStopped ? { mine: [], next: Infinity } : await take()
        if (mine.length === 0) {
          await release()
          return Math.min(next, clock.now() + lookMs, tidyAt)
        }
        const progress = await Promise.all(mine.map(work))
        if (progress.includes('away')) return clock.now() + outageMs
        if (progress.every((one) => one === 'waits')) {
          await release()
          return Math.min(clock.now() + waitMs, tidyAt)
        }
        await yieldToEventLoop()
      }
    },
    stop: () => void (isStopped = true),
  }
}

/**
 * Of the tasks in a line, one is worked on at a time: those that a user has begun, runs that take snapshots, and runs that start
 * and stop instances.
 */
const lineOf = ({ userId, scheduleId, action }: TaskTable): string =>
  scheduleId === null ? userId : `${userId} ${action.startsWith('snapshot') ? 'snapshots' : 'states'}`

/** Does some items of a task. */
function createWork(world: World, askAs: AskAs, onEnd: (task: TaskTable) => void) {
  const { engine, clock } = world
  const actorOf = createActors(world)

  async function finish(task: TaskTable, isOrphan: boolean): Promise<void> {
    const why = isOrphan ? 'the user was deleted' : null
    await engine.transaction('write', (tx) => markEnded(tx, { task, why, now: clock.now() }))
    await end(task)
  }

  async function end(task: TaskTable): Promise<void> {
    onEnd(task)
    await trimTasks(world, task)
  }

  return async (task: TaskTable): Promise<Progress> => {
    const isCanceled = task.state === 'canceled'
    const running = await engine.transaction('read', (tx) => countRunning(tx, task))
    const most = isCanceled ? 0 : widthOf(task.action) - running
    const items = most > 0 ? await engine.transaction('read', (tx) => nextItems(tx, task, most)) : []
    if (items.length === 0 && running > 0) return 'waits'
    const actor = items.length > 0 && (await actorOf(task))
    if (!actor) {
      await finish(task, items.length > 0)
      return 'some'
    }
    const outcomes = await Promise.all(items.map((item) => carryOut(askAs, { task, item, actor, world })))
    const failed = outcomes.filter((one) => typeof one === 'object')
    const of = { task, failed, now: clock.now() }
    if (failed.length > 0 && (await engine.transaction('write', (tx) => markFailed(tx, of)))) {
      await end(task)
      return 'some'
    }
    if (outcomes.includes('away')) return 'away'
    return outcomes.every((one) => one === 'later') ? 'waits' : 'some'
  }
}

/** The tasks that have not ended, the oldest first. */
const openTasks = (tx: Tx): Promise<TaskTable[]> =>
  tx
    .selectFrom('task')
    .selectAll()
    .where('timeEnded', 'is', null)
    .where('state', '!=', 'preparing')
    .orderBy('at')
    .limit(openAtMost)
    .execute()

async function renew(tx: Tx, task: TaskTable, now: number): Promise<boolean> {
  const begun = task.state === 'waiting' ? { state: 'running' as const, timeStarted: now } : {}
  const { numUpdatedRows } = await tx
    .updateTable('task')
    .set({ leaseUntil: now + takeOverMs, ...begun })
    .where('userId', '=', task.userId)
    .where('id', '=', task.id)
    .where('leaseUntil', '=', task.leaseUntil)
    .where('state', '=', task.state)
    .where('timeEnded', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The number of items of a task that are running; only some actions have them. */
async function countRunning(tx: Tx, { id, action }: TaskTable): Promise<number> {
  if (!longActions.includes(action)) return 0
  const { running } = await countsOf(tx, { id, countsJson: null })
  return running
}

/** The next items, of one operation: those of an operation end before those of the next one begin. */
async function nextItems(tx: Tx, { id }: TaskTable, most: number): Promise<Item[]> {
  const items = await tx
    .selectFrom('taskItem')
    .selectAll()
    .where('taskId', '=', id)
    .where('state', '=', 'pending')
    .orderBy('position')
    .limit(most)
    .execute()
  const [first] = items
  return items.filter(({ operation }) => operation === first?.operation)
}

/** A run of a schedule waits so long for instances that are on their way to another state. */
const longestWayMs = 15 * 60_000

/**
 * True while an instance is on its way to a state in which it can be done: deleted by a step, or started or stopped by a schedule,
 * at whose time it may still be stopping or starting.
 */
async function isOnTheWay(
  { engine, clock }: World,
  task: TaskTable,
  { itemId, operation }: Item,
): Promise<boolean> {
  const isOfSchedule = task.sessionId === '' && task.kind === 'instance'
  const waits = isOfSchedule && clock.now() < (task.timeStarted ?? Infinity) + longestWayMs
  if (operation !== 'instanceDelete' && !waits) return false
  const row = await engine.transaction('read', (tx) =>
    tx.selectFrom('instance').select('runState').where('id', '=', itemId).executeTakeFirst(),
  )
  return row !== undefined && isTransitional(row.runState)
}

/**
 * The operation of an item. `away`: the database does not answer, and nothing was done as far as is known. `later`: its
 * state does not allow it yet.
 */
async function carryOut(
  askAs: AskAs,
  { task, item, actor, world }: { task: TaskTable; item: Item; actor: Actor; world: World },
): Promise<Outcome | 'done' | 'away' | 'later'> {
  if (await isOnTheWay(world, task, item)) return 'later'
  const kept = await world.engine.transaction('read', (tx) => reasonToKeep(tx, task, item))
  if (kept?.waits && world.clock.now() < (task.timeStarted ?? Infinity) + longestWayMs) return 'later'
  if (kept) return { item, failure: { code: null, message: kept.reason }, isSkipped: true }
  const holder = await holderOf(world, task, item)
  const message = holder === null ? skipReason(task.kind, task.action, {}) : undefined
  if (message !== undefined) return { item, failure: { code: null, message }, isSkipped: true }
  const isLong = longActions.includes(task.action)
  const done = async (tx: Tx) => {
    await markMade(tx, task, item)
    await (isLong ? markBegun(tx, item, world.clock.now()) : markDone(tx, item, world.clock.now()))
  }
  const before = (tx: Tx) => checkStep(tx, task, item)
  const answer = await askAs(actor, requestFor(task, item, holder ?? undefined), { before, after: done })
  if (answer.status < 400) return 'done'
  const failure = failureIn(answer)
  if (answer.status !== 503) return { item, failure }
  if (failure.message === notNow && (isLong || item.operation !== null)) return 'later'
  return failure.message === notNow ? { item, failure: { ...failure, message: inThisState } } : 'away'
}

/** The instance that a disk is to be detached from now, or null if another request has done it; undefined for other items. */
async function holderOf(
  { engine }: World,
  { kind, action }: TaskTable,
  { itemId }: Item,
): Promise<string | null | undefined> {
  if (kind !== 'disk' || action !== 'detach') return undefined
  const disk = await engine.transaction('read', (tx) =>
    tx.selectFrom('disk').select('instanceId').where('id', '=', itemId).executeTakeFirst(),
  )
  return disk?.instanceId ?? null
}

// An answer that depends on a passing state: waiting for another one could take any time.
const notNow = fault.unavailable().message
const notFound = fault.notFound('', '').code
const inThisState = 'its state does not allow this action now'

function failureIn({ body }: ApiResponse): Outcome['failure'] {
  const { error_code: code = null, message = '' } = JSON.parse(body ?? '{}') as {
    error_code?: string
    message?: string
  }
  return { code, message }
}

/** Ends the transaction that has done an item. Throws if that was done already, which undoes it. */
async function markDone(tx: Tx, item: Item, now: number): Promise<void> {
  if (!(await mark(tx, item, { state: 'succeeded', timeCompleted: now })))
    throw fault.conflict('another server has done it')
}

/** Ends the transaction that has begun an item, or has found nothing to do. */
async function markBegun(tx: Tx, item: Item, now: number): Promise<void> {
  const state = await stateOfLong(tx, item.itemId)
  if (!(await mark(tx, item, { state, timeCompleted: state === 'running' ? null : now })))
    throw fault.conflict('another server has done it')
}

/** True if that ends the task: the steps after one that was refused are not done. A resource that is gone is no obstacle. */
async function markFailed(
  tx: Tx,
  { task, failed, now }: { task: TaskTable; failed: readonly Outcome[]; now: number },
): Promise<boolean> {
  let refused: Item | undefined
  for (const { item, failure, isSkipped } of failed) {
    const state = isSkipped ? 'skipped' : 'failed'
    // Another server may have done it.
    const isMarked = await mark(tx, item, { state, ...failure, timeCompleted: now })
    if (isMarked && failure.code !== notFound) refused ??= item
  }
  if (task.action !== 'delete_all' || !refused) return false
  const why = failedStep(refused)
  const { numUpdatedRows } = await tx
    .updateTable('taskItem')
    .set({ message: `not done: ${why}` })
    .where('taskId', '=', task.id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await markEnded(tx, { task, why, now })
  return true
}

const failedStep = ({ operation, name }: Item): string =>
  `the step of ${operation === null ? '' : `${kinds[kindOfStep(operation)].noun} `}"${name}" has failed`

async function mark(
  tx: Tx,
  { taskId, position }: Item,
  result: Pick<Item, 'state' | 'timeCompleted'> & Partial<Outcome['failure']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('taskItem')
    .set(result)
    .where('taskId', '=', taskId)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function markEnded(
  tx: Tx,
  { task, why, now }: { task: TaskTable; why: string | null; now: number },
): Promise<void> {
  const counts = await countsOf(tx, { ...task, countsJson: null })
  const state = why !== null ? 'failed' : task.state === 'canceled' ? 'canceled' : 'completed'
  await tx
    .updateTable('task')
    .set({
      state,
      timeEnded: now,
      leaseUntil: 0,
      countsJson: JSON.stringify(counts),
      message: why,
    })
    .where('userId', '=', task.userId)
    .where('id', '=', task.id)
    .where('timeEnded', 'is', null)
    .execute()
  await noteRunEnded(tx, task.id, { failed: counts.failed, isWhole: state === 'completed', now })
}

/** The present actors of tasks: read again after a change, or when one of their roles expires. */
function createActors(world: World): (task: TaskTable) => Promise<Actor | undefined> {
  const known = new Map<string, { actor: Actor; until: number; isFresh: () => boolean }>()
  return async ({ userId, sessionId, authMethod }) => {
    const last = known.get(userId)
    const now = world.clock.now()
    if (last?.isFresh() && now < last.until) return { ...last.actor, sessionId, authMethod }
    known.clear()
    const { value, fresh } = await traced(world.engine, (reads) =>
      world.engine.transaction('read', (tx) => actorsOf({ tx, now }, [userId]), reads),
    )
    const [person] = value
    if (!person) return undefined
    const { actor, rolesUntil } = person
    if (fresh) known.set(userId, { actor, until: rolesUntil, isFresh: fresh })
    return { ...actor, sessionId, authMethod }
  }
}
