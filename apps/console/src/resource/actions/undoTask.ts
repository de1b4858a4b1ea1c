/** Taking back a task: its inverse for each resource that it was done to. */
import { taskItemList } from '@purlin/contract/operations/tasks/tasks'
import { countOf } from '@purlin/contract/rules/kinds'
import { errorMessage, ExplainedError } from '#/api/errors.ts'
import { everyPage } from '#/api/everyPage.ts'
import { load } from '#/api/query.ts'
import type { Task } from './runTask.ts'
import { settleAll } from './settleAll.ts'
import type { Undo } from './undo.tsx'

/** The inverse of a task for the resource with an id: 'detached again'. */
export interface TaskInverse {
  run: (id: string) => Promise<unknown>
  undone: string
}

// Requests under way at a time, as for selections without tasks.
const atOnce = 4

/** The undo of a task that has ended. What it throws says how many are not undone. */
export const undoOf =
  ({ noun, undone, run }: TaskInverse & { noun: string }) =>
  ({ id, succeeded }: Pick<Task, 'id' | 'succeeded'>): Undo => ({
    undone: `${countOf(succeeded, noun)} ${undone}`,
    run: async () => {
      const items = await load(
        everyPage(taskItemList, { params: { task: id }, query: { result: 'succeeded' } }),
      )
      const { signal } = new AbortController()
      const { failures } = await settleAll(items, { width: atOnce, signal }, (item) => run(item.id))
      const [first] = failures
      if (first)
        throw new ExplainedError(
          `${failures.length} of ${countOf(items.length, noun)} are not ${undone}: ${errorMessage(first.error)}`,
        )
    },
  })
