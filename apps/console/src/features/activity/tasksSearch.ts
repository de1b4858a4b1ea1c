/** The address of the list of tasks. */
import { isUuid } from '@purlin/contract/rules/names'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'

export interface TasksSearch extends PagingSearch {
  /** The id of the user whose tasks are listed, for administrators; the own ones unless given. */
  user?: string
  /** The id of the task that is shown over the list. */
  task?: string
}

/** `validateSearch` of the list. */
export function tasksSearch(search: Record<string, unknown>): TasksSearch {
  const { user, task } = search
  return {
    ...pagingSearch(search),
    ...(typeof user === 'string' && isUuid(user) ? { user } : {}),
    ...(typeof task === 'string' && isUuid(task) ? { task } : {}),
  }
}
