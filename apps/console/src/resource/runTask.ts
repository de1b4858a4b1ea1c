/** Tasks of the server: an action on many resources. A server without them is asked once in a session. */
import type { Result } from '@purlin/contract/op'
import { taskCreate, taskView } from '@purlin/contract/operations/tasks'
import { countOf, kinds } from '@purlin/contract/rules/kinds'
import type { TaskAction, TaskKind } from '@purlin/contract/rules/tasks'
import { send, sendIfThere } from '#/api/send.ts'
import { addToast } from '#/ui/toast.ts'
import { openActivity } from './activity.ts'

type Task = Result<typeof taskView>
/** What a task does, in words: 'disk', 'deleted', 'Deleting'. */
export interface TaskTexts {
  noun: string
  done: string
  doing?: string
  /** Reads again what has changed. */
  after: () => Promise<unknown>
}

let hasTasks = true

/** Begins a task; undefined if the server has none. Throws ApiError. */
export async function beginTask(
  { kind, action }: { kind: TaskKind; action: TaskAction },
  of: { ids: string[] } | { query: string; digest: string },
): Promise<Task | undefined> {
  if (!hasTasks) return undefined
  const task = await sendIfThere(taskCreate, { body: { kind: kinds[kind].type, action, ...of } })
  hasTasks = task !== undefined
  return task
}

const pause = (ms: number) => new Promise((resolve) => window.setTimeout(resolve, ms))
// Most tasks end at once. Nothing is told of their beginning.
const soonMs = 2000
const firstPauseMs = 150
const pauseMs = 1500
const reasonsTold = 2

/** Follows a task to its end and tells how it went, in toasts of a few lines that lead to the activity. */
export async function followTask(begun: Task, of: TaskTexts): Promise<void> {
  const since = performance.now()
  let task = begun
  for (let isTold = false; task.timeEnded == null;) {
    const isSoon = performance.now() - since < soonMs
    if (!isSoon && !isTold) {
      isTold = true
      addToast({
        content: `${of.doing ?? 'Working on'} ${countOf(task.totalItems, of.noun)}`,
        action: toActivity,
      })
      await of.after()
    }
    await pause(isSoon ? firstPauseMs : pauseMs)
    task = await send(taskView, { params: { task: task.id } })
  }
  await of.after()
  tellEnd(task, of)
}

const toActivity = { text: 'Show activity', onAction: openActivity }

function tellEnd({ succeeded, failed, skipped, canceled, failures = [] }: Task, of: TaskTexts): void {
  const { noun, done, doing } = of
  const left = [skipped > 0 && `${skipped} left as they were`, canceled > 0 && `${canceled} canceled`].filter(
    Boolean,
  )
  if (succeeded > 0 || failed === 0) {
    const what = doing ? `${doing} ${countOf(succeeded, noun)}` : `${countOf(succeeded, noun)} ${done}`
    addToast({ content: [what, ...left].join(', '), ...(left.length > 0 ? { action: toActivity } : {}) })
  }
  if (failed === 0) return
  const reasons = failures.slice(0, reasonsTold).map(({ message, count }) => `${count}: ${message}`)
  addToast({
    variant: 'error',
    title: `${countOf(failed, noun)} could not be ${done}`,
    content: reasons.join('; '),
    action: toActivity,
  })
}
