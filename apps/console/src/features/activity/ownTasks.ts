/** The tasks of the signed-in person, and their words. */
import { taskList } from '@purlin/contract/operations/tasks/tasks'
import { countOf, nounOf } from '@purlin/contract/rules/kinds'
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
export function titleOf({ action, kind, totalItems }: Task): string {
  const what = countOf(totalItems, nounOf(kind))
  if (action === 'add_to_group') return `Add ${what} to an anti-affinity group`
  if (action === 'add_to_affinity_group') return `Add ${what} to an affinity group`
  if (action === 'move' || action === 'move_or_stop') return `Move ${what} to other sleds`
  if (action === 'change_tags') return `Change tags of ${what}`
  if (action === 'unprotect') return `Remove protection of ${what}`
  if (action === 'delete_all') return 'Delete a project with all of its contents'
  return action === 'snapshot' || action === 'snapshot_together'
    ? `Make snapshots of ${what}`
    : `${capitalize(action.replaceAll('_', ' '))} ${what}`
}

/** The share of items that are done, in percent. */
export const percentDone = ({ totalItems, pending }: Task): number =>
  totalItems === 0 ? 0 : Math.floor((100 * (totalItems - pending)) / totalItems)
