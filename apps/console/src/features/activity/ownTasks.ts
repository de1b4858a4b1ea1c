/** The tasks of the signed-in person, and their words. */
import { taskList } from '@purlin/contract/operations/tasks/tasks'
import { taskWords } from '@purlin/contract/rules/tasks'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'

export type Task = Item<typeof taskList>

const shown = 20
const pollMs = 1000
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
