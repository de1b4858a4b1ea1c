import { expect, it } from 'vitest'
import { countsOf, titleOf, type Task } from './ownTasks.ts'
import { taskActions } from './taskActions.ts'
import { tasksSearch } from './tasksSearch.ts'

const id = '01a227f1-ed52-7000-8bfc-813c217a31c8'
const own = '6d5bc7dd-0213-4183-8023-65e8ad22c240'
const task = (change: Partial<Task> = {}): Task => ({
  id,
  userId: own,
  kind: 'disk',
  action: 'attach',
  state: 'completed',
  totalItems: 3,
  pending: 0,
  succeeded: 3,
  failed: 0,
  skipped: 0,
  canceled: 0,
  timeCreated: new Date(0),
  timeEnded: new Date(1),
  ...change,
})
const reasonOf = (action: string, of: Task) =>
  taskActions(own)
    .find((one) => one.id === action)
    ?.disabledReason?.(of)

it('a task is named by its action and its items, with those that were not done', () => {
  expect(titleOf(task())).toBe('Attach 3 disks')
  expect(countsOf(task())).toBe('3 of 3 done')
  expect(countsOf(task({ succeeded: 1, failed: 1, skipped: 1 }))).toBe(
    '1 of 3 done, 1 failed, 1 left as they were',
  )
})

it('only a task that runs is stopped, and only an own one with items left is tried again', () => {
  const running = task({ state: 'running', timeEnded: null, pending: 2, succeeded: 1 })
  expect(reasonOf('stop', running)).toBeUndefined()
  expect(reasonOf('stop', task())).toBe('It has ended')
  expect(reasonOf('retry', task({ failed: 1, succeeded: 2 }))).toBeUndefined()
  expect(reasonOf('retry', task({ canceled: 1, succeeded: 2 }))).toBeUndefined()
  for (const one of [running, task()]) expect(reasonOf('retry', one)).toMatch(/^None of its items/)
  expect(reasonOf('retry', task({ failed: 1, userId: id }))).toBe('Only its own user can try it again')
})

it('the address of the list takes ids of a user and a task, and nothing else in their place', () => {
  expect(tasksSearch({ user: own, task: id, filter: 'state:failed', size: 25 })).toEqual({
    user: own,
    task: id,
    filter: 'state:failed',
    size: 25,
  })
  expect(tasksSearch({ user: 'rosa', task: 7 })).toEqual({})
})
