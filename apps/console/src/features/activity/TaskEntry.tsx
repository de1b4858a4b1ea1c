import { taskCancel, taskList, taskRetry, taskView } from '@purlin/contract/operations/tasks/tasks'
import { useQuery } from '@tanstack/react-query'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { capitalize } from '#/lib/text.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { Controls, Entry } from './Entry.tsx'
import { ItemsOf } from './ItemsOf.tsx'
import { canRetry, countsOf, isOpen, percentDone, pollMs, titleOf, type Task } from './ownTasks.ts'

interface TaskProps {
  task: Task
  /** Of the signed-in person, who alone can try it again. */
  isOwn?: boolean
}

const states = {
  waiting: 'Waiting',
  running: 'Running',
  completed: 'Done',
  canceled: 'Stopped',
  failed: 'Ended early',
} as const

/** A task with its progress, the reasons of its failures and its controls. */
export function TaskEntry({ task, isOwn = true }: TaskProps) {
  const { id, state, failed, skipped } = task
  const title = titleOf(task)
  return (
    <Entry title={title} since={task.timeCreated} percent={isOpen(task) ? percentDone(task) : undefined}>
      <p className="text-secondary">
        {states[state]}: {countsOf(task)}
      </p>
      {task.message && <p className="text-secondary">{capitalize(task.message)}</p>}
      {failed > 0 && <Failures task={task} />}
      {skipped > 0 && (
        <ItemsOf task={id} count={skipped} label="Which were left as they were" of={{ result: 'skipped' }} />
      )}
      <TaskControls task={task} title={title} isOwn={isOwn} />
    </Entry>
  )
}

/** Why items failed, the most frequent reasons first, and on demand which ones. */
function Failures({ task: { id, failed } }: { task: Task }) {
  const { data } = useQuery({
    ...query(taskView, { params: { task: id } }),
    throwOnError: false,
    // Read again as soon as more have failed.
    refetchInterval: ({ state }) => (state.data && state.data.failed < failed ? pollMs : false),
  })
  return (
    <div className="space-y-1 text-danger">
      {data?.failures?.map(({ message, count }) => (
        <ItemsOf
          key={message}
          task={id}
          count={count}
          label={`${count} × ${message}`}
          of={{ result: 'failed', reason: message }}
        />
      ))}
    </div>
  )
}

function TaskControls({ task, title, isOwn }: Required<TaskProps> & { title: string }) {
  const { id, failed, canceled } = task
  const of = { params: { task: id } }
  const shared = {
    size: 'small',
    of: title,
    done: () => undefined,
    errorTitle: title,
    reload: () => invalidate(taskList),
  } as const
  return (
    <Controls>
      {isOpen(task) ? (
        <RequestButton {...shared} request={requestTo(taskCancel, of)} aria-label={`Stop: ${title}`}>
          Stop
        </RequestButton>
      ) : (
        isOwn &&
        canRetry(task) && (
          <RequestButton {...shared} request={requestTo(taskRetry, of)} aria-label={`Try again: ${title}`}>
            Try {failed + canceled} again
          </RequestButton>
        )
      )}
    </Controls>
  )
}
