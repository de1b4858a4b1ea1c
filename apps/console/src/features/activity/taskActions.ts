/** Actions on a task, in the menu of its row. */
import { taskCancel, taskList, taskRetry } from '@purlin/contract/operations/tasks/tasks'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { sending } from '#/resource/actions/sendNow.ts'
import { canRetry, isOpen, titleOf, type Task } from './ownTasks.ts'

const of = ({ id }: Task) => ({ params: { task: id } })
const reload = () => invalidate(taskList)

/** `own` is the id of the signed-in person: a task is tried again by its own user only. */
export const taskActions = (own: string | undefined): Action<Task>[] => [
  copyId('task'),
  {
    id: 'stop',
    label: 'Stop',
    disabledReason: (task) => (isOpen(task) ? undefined : 'It has ended'),
    ...sending((task: Task) => requestTo(taskCancel, of(task)), {
      done: (_, task) => ({ content: `Stopped: ${titleOf(task)}` }),
      errorTitle: 'Could not stop the task',
      reload,
    }),
  },
  {
    id: 'retry',
    label: 'Try again',
    disabledReason: (task) => {
      if (task.userId !== undefined && task.userId !== own) return 'Only its own user can try it again'
      return canRetry(task) ? undefined : 'None of its items has failed or was canceled'
    },
    ...sending((task: Task) => requestTo(taskRetry, of(task)), {
      done: (_, task) => ({ content: `Trying again: ${titleOf(task)}` }),
      errorTitle: 'Could not try it again',
      reload,
    }),
  },
]
