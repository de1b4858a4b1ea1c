/** Tasks of the server: an action on many resources. A server without them is tried once per session. */
import type { Result } from '@purlin/contract/op'
import { taskCreate, taskView } from '@purlin/contract/operations/tasks/tasks'
import { countOf, kinds } from '@purlin/contract/rules/kinds'
import type { TaskAction, TaskKind } from '@purlin/contract/rules/tasks'
import { QueryObserver } from '@tanstack/react-query'
import { requestTo } from '#/api/request.ts'
import { ApiError, sendIfThere } from '#/api/send.ts'
import { query, queryClient } from '#/api/query.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { openTasks, toActivity } from './activity.ts'
import { undoable, type Undo } from './undo.tsx'

export type Task = Result<typeof taskView>
/** The items of a task: the selected rows, or all rows of a list's address. */
export type TaskOf = { ids: string[] } | { query: string }
/** The parameters of an action: a target, a pattern of names, or changes of tags. */
export interface TaskParameters {
  group?: string
  instance?: string
  project?: string
  namePattern?: string
  tags?: { set?: Record<string, string>; remove?: string[] }
}
/** The words of a task: 'disk', 'deleted', 'Deleting'. */
export interface TaskTexts {
  noun: string
  done: string
  doing?: string
  /** Reads again what has changed. */
  after: () => Promise<unknown>
}

let hasTasks = true

/** An action that tasks take on resources of a kind. */
export interface TaskType {
  kind: TaskKind
  action: TaskAction
}
type Begun = TaskOf & TaskParameters & { digest?: string }

/** The request that begins a task. */
export const taskRequest = ({ kind, action }: TaskType, of: Begun) =>
  requestTo(taskCreate, { body: { kind: kinds[kind].type, action, ...of } })

/** Begins a task; undefined if the server has none. Throws ApiError. */
export async function beginTask(type: TaskType, of: Begun): Promise<Task | undefined> {
  if (!hasTasks) return undefined
  const task = await sendIfThere(taskCreate, taskRequest(type, of).args)
  hasTasks = task !== undefined
  return task
}

// Most tasks end quickly, so their start is not reported.
const soonMs = 2000
const firstPauseMs = 150
const pauseMs = 1500
const maxReasons = 2

/** Follows a task to its end and tells how it went, in toasts of a few lines that lead to the activity. */
export async function followTask(begun: Task, of: TaskTexts, inverse?: (ended: Task) => Undo): Promise<void> {
  const slow = window.setTimeout(() => {
    addToast({
      content: `${of.doing ?? 'Working on'} ${countOf(begun.totalItems, of.noun)}`,
      action: toActivity,
    })
    void of.after()
  }, soonMs)
  const task = await endOf(begun)
  window.clearTimeout(slow)
  await of.after()
  if (task) toastResult(task, of, inverse?.(task))
}

/** The task once it has ended; undefined if it is no longer there. The stream of events tells of it, or it is polled. */
function endOf(begun: Task): Promise<Task | undefined> {
  const since = performance.now()
  const isSoon = () => performance.now() - since < soonMs
  const observer = new QueryObserver(queryClient, {
    ...query(taskView, { params: { task: begun.id } }),
    throwOnError: false,
    staleTime: 0,
    refetchInterval: () => (isSoon() ? firstPauseMs : pauseMs),
  })
  const { promise, resolve } = Promise.withResolvers<Task | undefined>()
  noteProgress(begun)
  const unsubscribe = observer.subscribe(({ data, error }) => {
    if (data) noteProgress(data)
    if (data?.timeEnded != null) resolve(data)
    else if (error instanceof ApiError && error.status === 404) resolve(undefined)
  })
  return promise.finally(() => {
    unsubscribe()
    openTasks.set(new Map([...openTasks.get()].filter(([id]) => id !== begun.id)))
  })
}

function noteProgress({ id, totalItems, pending }: Task): void {
  openTasks.set(new Map(openTasks.get()).set(id, { done: totalItems - pending, total: totalItems }))
}

function toastResult(
  { succeeded, failed, skipped, canceled, failures = [] }: Task,
  of: TaskTexts,
  inverse: Undo | undefined,
): void {
  const { noun, done, doing } = of
  const left = [skipped > 0 && `${skipped} left as they were`, canceled > 0 && `${canceled} canceled`].filter(
    Boolean,
  )
  if (succeeded > 0 || failed === 0) {
    const what = doing ? `${doing} ${countOf(succeeded, noun)}` : `${countOf(succeeded, noun)} ${done}`
    const toast = { content: [what, ...left].join(', ') }
    if (inverse && succeeded > 0) addToast(undoable(toast, inverse))
    else addToast({ ...toast, ...(left.length > 0 ? { action: toActivity } : {}) })
  }
  if (failed === 0) return
  const reasons = failures.slice(0, maxReasons).map(({ message, count }) => `${count}: ${message}`)
  addToast({
    variant: 'error',
    title: `${countOf(failed, noun)} could not be ${done}`,
    content: reasons.join('; '),
    action: toActivity,
  })
}
