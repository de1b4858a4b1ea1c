/** Our own operation: an action on many resources, which the server runs as the user who created the task. */
import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { taskActionNames, taskKinds, taskResults, taskStates } from '#/rules/tasks.ts'
import { array, enumOf, integer, nullable, object, optional, ref, string, time, unlimited } from '#/schema.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { Uuid } from '#/schemas/scalar.ts'

const text = string(unlimited)
const count = integer({ min: 0, format: 'uint32' })
const reasons = array(object({ code: optional(nullable(text)), message: text, count }), unlimited)
const Action = ref('TaskAction', enumOf(taskActionNames))
/** Kinds as in messages: `floating-ip`. */
export const taskTypes = taskKinds.map((kind) => kinds[kind].type)
const Kind = ref('TaskKind', enumOf(taskTypes))

export const Task = ref(
  'Task',
  object({
    id: Uuid,
    /** The user who began it. */
    userId: optional(Uuid),
    kind: Kind,
    action: Action,
    /** The anti-affinity or affinity group that instances are added to. */
    group: optional(nullable(Uuid)),
    /** The names of the snapshots that it makes: `{disk}-{time}`. */
    namePattern: optional(nullable(text)),
    state: ref('TaskState', enumOf(taskStates)),
    totalItems: count,
    pending: count,
    succeeded: count,
    failed: count,
    /** Left as they were, because their state did not allow the action. */
    skipped: count,
    canceled: count,
    /** The reasons of failures, the most frequent first; only in the view of one task. */
    failures: optional(reasons),
    /** Why the task ended before all was done. */
    message: optional(nullable(text)),
    timeCreated: time(),
    timeStarted: optional(nullable(time())),
    timeEnded: optional(nullable(time())),
    /** The task whose failed and canceled items this one tries again. */
    retryOf: optional(nullable(Uuid)),
  }),
)
const TaskItem = ref(
  'TaskItem',
  object({
    id: Uuid,
    name: text,
    result: ref('TaskResult', enumOf(taskResults)),
    code: optional(nullable(text)),
    /** Why it failed or was skipped. */
    message: optional(nullable(text)),
    timeCompleted: optional(nullable(time())),
  }),
)
const body = ref(
  'TaskCreate',
  object({
    kind: Kind,
    action: Action,
    /** The items: these ids, */
    ids: optional(nullable(array(Uuid, { count: limits.task.items, noun: 'ids' }))),
    /** or all that a list shows: its address and parameters, as `/v1/instances?project=web&filter=state:running`. */
    query: optional(nullable(string({ maxLength: limits.task.query }))),
    /** For `add_to_group` and `add_to_affinity_group`. */
    group: optional(nullable(Uuid)),
    /**
     * For `snapshot`; `{disk}-{time}` by default. The name of the disk and the time of the task replace the
     * placeholders.
     */
    namePattern: optional(nullable(string({ maxLength: limits.task.pattern }))),
    /** The digest of a preview: the task is refused if it would be done to others by now. */
    digest: optional(nullable(string({ maxLength: limits.task.digest }))),
  }),
)
const common = { tag: 'tasks', allow: 'user' } as const
const one = { ...common, params: object({ task: Uuid }) } as const

export const taskCreate = op({
  ...common, method: 'POST', path: '/v1/tasks', ok: 201, summary: 'Do something to many resources', body, response: Task,
})
export const taskPreview = op({
  ...common, method: 'POST', path: '/v1/tasks/preview', ok: 200, changesNothing: true,
  summary: 'Say what a task would do', body,
  response: ref('TaskPreview', object({
    totalItems: count,
    /** Why some would be left as they are. */
    skipped: reasons,
    /** The first ones that would not. */
    names: array(text, unlimited),
    /** Of those that would not, for the creation of the task. */
    digest: text,
  })),
})
export const taskList = op({
  ...common, method: 'GET', path: '/v1/tasks', ok: 200,
  summary: 'List own tasks or, for administrators, those of a user of the silo, newest first',
  query: object({ ...inOrder, user: optional(Uuid) }), response: ref('TaskResultsPage', page(Task)),
})
export const taskView = op({
  ...one, method: 'GET', path: '/v1/tasks/{task}', ok: 200, summary: 'Show a task', response: Task,
})
export const taskItemList = op({
  ...one, method: 'GET', path: '/v1/tasks/{task}/items', ok: 200, summary: 'List what a task was done to',
  query: object({
    ...inOrder,
    result: optional(enumOf(taskResults)),
    /** Only items that failed for this reason, as worded in `failures`. */
    reason: optional(string({ maxLength: limits.task.reason })),
  }),
  response: ref('TaskItemResultsPage', page(TaskItem)),
})
export const taskCancel = op({
  ...one, method: 'POST', path: '/v1/tasks/{task}/cancel', ok: 202, summary: 'Stop a task', response: Task,
})
export const taskRetry = op({
  ...one, method: 'POST', path: '/v1/tasks/{task}/retry', ok: 201,
  summary: 'Try the items of a task again that failed or were canceled, in a new task', response: Task,
})
