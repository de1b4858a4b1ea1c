/** Our own operation: an action on many resources, which the server runs as the user who created the task. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { taskActionNames, taskResults, taskStates, taskTypes } from '#/rules/tasks.ts'
import { array, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { counted, filtered, inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'
import { TagChanges } from '../lists/tags.ts'

const text = string(unlimited)
const count = integer({ min: 0, format: 'uint32' })
const reason = { code: optional(nullable(text)), message: text, count }
const reasons = array(object(reason), unlimited)
const Action = ref('TaskAction', enumOf(taskActionNames))
const Kind = ref('TaskKind', enumOf(taskTypes))

export const Task = ref(
  'Task',
  object({
    id: Uuid,
    userId: optional(Uuid),
    kind: Kind,
    action: Action,
    group: optional(nullable(Uuid)),
    instance: optional(nullable(Uuid)),
    project: optional(nullable(Uuid)),
    namePattern: optional(nullable(text)),
    tags: optional(nullable(TagChanges)),
    state: ref('TaskState', enumOf(taskStates)),
    totalItems: count,
    pending: count,
    running: optional(count),
    succeeded: count,
    failed: count,
    skipped: count,
    canceled: count,
    failures: optional(reasons),
    message: optional(nullable(text)),
    timeCreated: time(),
    timeStarted: optional(nullable(time())),
    timeEnded: optional(nullable(time())),
    retryOf: optional(nullable(Uuid)),
    /** Of our own: the schedule whose run it is. */
    schedule: optional(Uuid),
  }),
)
const TaskItem = ref(
  'TaskItem',
  object({
    id: Uuid,
    name: text,
    operation: optional(nullable(text)),
    result: ref('TaskResult', enumOf(taskResults)),
    code: optional(nullable(text)),
    message: optional(nullable(text)),
    timeCompleted: optional(nullable(time())),
  }),
)
const body = ref(
  'TaskCreate',
  object({
    kind: Kind,
    action: Action,
    ids: optional(nullable(array(Uuid, { count: limits.task.items, noun: 'ids' }))),
    query: optional(nullable(string({ maxLength: limits.task.query }))),
    group: optional(nullable(Uuid)),
    instance: optional(nullable(Uuid)),
    project: optional(nullable(Uuid)),
    namePattern: optional(nullable(string({ maxLength: limits.task.pattern }))),
    tags: optional(nullable(TagChanges)),
    digest: optional(nullable(string({ maxLength: limits.task.digest }))),
  }),
)
const common = { tag: 'tasks', allow: 'user' } as const
const one = { ...common, params: object({ task: Uuid }) } as const

export const taskCreate = op({
  ...common, method: 'POST', path: '/v1/tasks', ok: 201, body, response: Task,
})
export const taskPreview = op({
  ...common, method: 'POST', path: '/v1/tasks/preview', ok: 200, changesNothing: true,
  body,
  response: ref('TaskPreview', object({
    totalItems: count,
    skipped: array(object({ ...reason, names: optional(array(text, unlimited)) }), unlimited),
    names: array(text, unlimited),
    digest: text,
  })),
})
export const taskList = op({
  ...common, method: 'GET', path: '/v1/tasks', ok: 200,
  query: object({ ...counted, user: optional(Uuid), ...filtered('task') }), response: ref('TaskResultsPage', page(Task)),
})
export const taskView = op({
  ...one, method: 'GET', path: '/v1/tasks/{task}', ok: 200, response: Task,
})
export const taskItemList = op({
  ...one, method: 'GET', path: '/v1/tasks/{task}/items', ok: 200,
  query: object({
    ...inOrder,
    result: optional(enumOf(taskResults)),
    reason: optional(string({ maxLength: limits.task.reason })),
  }),
  response: ref('TaskItemResultsPage', page(TaskItem)),
})
export const taskCancel = op({
  ...one, method: 'POST', path: '/v1/tasks/{task}/cancel', ok: 202, response: Task,
})
export const taskRetry = op({
  ...one, method: 'POST', path: '/v1/tasks/{task}/retry', ok: 201,
  response: Task,
})
