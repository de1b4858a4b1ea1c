/** The rows of tasks: how they are stored, counted and removed. */
import { limits } from '@purlin/contract/rules/limits'
import type { World } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { UniqueViolation } from '#/db/engine.ts'
import { insertRow, insertRows } from '#/db/prepared.ts'
import type { TaskItemTable, TaskTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { Planned } from './task-items.ts'

export type Counts = Record<TaskItemTable['state'], number>
export const noItems: Readonly<Counts> = { pending: 0, running: 0, succeeded: 0, failed: 0, skipped: 0 }

/** The number of items of a task in each state. */
export async function countsOf(tx: Tx, task: Pick<TaskTable, 'id' | 'countsJson'>): Promise<Counts> {
  if (task.countsJson !== null) return { ...noItems, ...(JSON.parse(task.countsJson) as Partial<Counts>) }
  const rows = await tx
    .selectFrom('taskItem')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('count')])
    .where('taskId', '=', task.id)
    .groupBy('state')
    .execute()
  const counts = { ...noItems }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}

const perWrite = 512

type NewTask = Omit<TaskTable, 'at'>

/** Stores a task with its items, which requests do not see yet. Returns it with a time that no other task of its user has. */
export async function prepare(
  world: World,
  task: NewTask,
  { items, now }: { items: readonly Planned[]; now: number },
): Promise<TaskTable> {
  const { engine } = world
  const stored = await store(world, task, now)
  const rows = items.map(({ itemId, name, inProject, operation = null, state, code, message }, position) => ({
    taskId: task.id,
    position,
    itemId,
    name,
    inProject,
    operation,
    state,
    code,
    message,
    timeCompleted: null,
  }))
  for (const some of batches(rows, perWrite))
    await engine.transaction('write', (tx) => insertRows(tx, 'taskItem', some))
  return stored
}

async function store(world: World, task: NewTask, now: number): Promise<TaskTable> {
  try {
    return await world.engine.transaction('write', async (tx) => {
      await checkRoom(tx, task)
      const row = { ...task, at: await timeOfNew(tx, task.userId, now) }
      await insertRow(tx, 'task', row)
      return row
    })
  } catch (error) {
    // Another request of the user has just taken the time.
    if (error instanceof UniqueViolation) return store(world, task, now)
    throw error
  }
}

/** The tasks of a user that were begun as this one was: by runs of schedules, or otherwise. Neither push out the others. */
const tasksLike = (tx: Tx, { userId, scheduleId }: Pick<TaskTable, 'userId' | 'scheduleId'>) =>
  tx
    .selectFrom('task')
    .select(['id', 'userId'])
    .where('userId', '=', userId)
    .where('scheduleId', scheduleId === null ? 'is' : 'is not', null)

/** Throws 429 for a user with the maximum of open tasks. */
async function checkRoom(tx: Tx, task: Pick<TaskTable, 'userId' | 'scheduleId'>): Promise<void> {
  const most = task.scheduleId === null ? limits.task.open : limits.schedule.runs
  const open = await tasksLike(tx, task).where('timeEnded', 'is', null).limit(most).execute()
  if (open.length >= most) throw fault.tooManyTasks(most)
}

/** A time for a new task of a user that none of theirs has. */
async function timeOfNew(tx: Tx, userId: string, now: number): Promise<number> {
  const last = await tx
    .selectFrom('task')
    .select('at')
    .where('userId', '=', userId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Math.max(now, (last?.at ?? 0) + 1)
}

const perDelete = 1000
const perRound = 100

/** Removes tasks that have been kept long enough, that were never begun, and those of users who are gone. */
export async function tidyTasks(world: World): Promise<void> {
  const now = world.clock.now()
  const oldest = now - limits.task.days * 24 * 3_600_000
  for (const task of await world.engine.transaction('read', (tx) => oldTasks(tx, oldest, now - 3_600_000)))
    await removeTask(world, task)
}

async function oldTasks(
  tx: Tx,
  oldest: number,
  abandoned: number,
): Promise<Pick<TaskTable, 'id' | 'userId'>[]> {
  const columns = ['id', 'userId'] as const
  const old = await tx
    .selectFrom('task')
    .select(columns)
    .where('timeEnded', '<', oldest)
    .limit(perRound)
    .execute()
  const left = await tx
    .selectFrom('task')
    .select(columns)
    .where('timeEnded', 'is', null)
    .where('at', '<', abandoned)
    .where('state', '=', 'preparing')
    .limit(perRound)
    .execute()
  const orphaned = await tx
    .selectFrom('task')
    .select(columns)
    .where('timeEnded', 'is not', null)
    .where('userId', 'not in', (eb) => eb.selectFrom('siloUser').select('siloUser.id'))
    .limit(perRound)
    .execute()
  return [...old, ...left, ...orphaned]
}

/** Removes the oldest tasks like one that has ended, beyond those that are kept. */
export async function trimTasks(world: World, task: Pick<TaskTable, 'userId' | 'scheduleId'>): Promise<void> {
  const beyond = await world.engine.transaction('read', (tx) =>
    tasksLike(tx, task)
      .where('timeEnded', 'is not', null)
      .orderBy('at', 'desc')
      .limit(perRound)
      .offset(limits.task.kept)
      .execute(),
  )
  for (const task of beyond) await removeTask(world, task)
}

async function removeTask(
  { engine }: World,
  { id, userId }: Pick<TaskTable, 'id' | 'userId'>,
): Promise<void> {
  // A run of a schedule can have as many deletions as other items.
  for (let from = 0; from < 2 * limits.task.items; from += perDelete)
    await engine.transaction('write', (tx) =>
      tx
        .deleteFrom('taskItem')
        .where('taskId', '=', id)
        .where('position', '>=', from)
        .where('position', '<', from + perDelete)
        .execute(),
    )
  await engine.transaction('write', (tx) =>
    tx.deleteFrom('task').where('userId', '=', userId).where('id', '=', id).execute(),
  )
}
