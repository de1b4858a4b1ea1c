/** Tasks and their words. */
import { taskList } from '@purlin/contract/operations/tasks/tasks'
import { taskWords } from '@purlin/contract/rules/tasks'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'

export type Task = Item<typeof taskList>

const shown = 20
/** ms between reads of tasks that run. */
export const pollMs = 1000
export const isOpen = ({ timeEnded }: Task): boolean => timeEnded == null

/** The newest tasks. The stream of events reports their progress, or they are polled. */
export const useTasks = () =>
  useQuery({
    ...query(taskList, { query: { limit: shown } }),
    throwOnError: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? pollMs : false),
  })

/** 'Stop 30 instances'. */
export const titleOf = (task: Task): string => capitalize(taskWords(task))

/** The share of items that are done, in percent. */
export const percentDone = ({ totalItems, pending }: Task): number =>
  totalItems === 0 ? 0 : Math.floor((100 * (totalItems - pending)) / totalItems)

/** '3 of 5 done, 1 failed, 1 left as they were' */
export function countsOf({ totalItems, succeeded, failed, skipped, canceled }: Task): string {
  const counts = [
    `${succeeded} of ${totalItems} done`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} left as they were`,
    canceled > 0 && `${canceled} canceled`,
  ]
  return counts.filter(Boolean).join(', ')
}

/** Whether items have failed or were canceled, so that they can be tried again. */
export const canRetry = (task: Task): boolean => !isOpen(task) && task.failed + task.canceled > 0
