import { taskCancel, taskList, taskRetry, taskView } from '@purlin/contract/operations/tasks/tasks'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { capitalize } from '#/lib/text.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { Controls, Entry } from './Entry.tsx'
import { ItemsOf } from './ItemsOf.tsx'
import { isOpen, percentDone, titleOf, useTasks, type Task } from './ownTasks.ts'

const pollMs = 1000

/** The tasks of the signed-in person. The stream of events tells of their progress, or it is polled. */
export function Tasks() {
  const { data, error } = useTasks()
  return (
    <>
      {error && <p className="text-secondary">Tasks are not available: {errorMessage(error)}</p>}
      {data?.items.length === 0 && (
        <p className="text-secondary">Your uploads and your actions on several resources are shown here.</p>
      )}
      {data?.items.map((task) => (
        <TaskEntry key={task.id} task={task} />
      ))}
    </>
  )
}

const states = {
  waiting: 'Waiting',
  running: 'Running',
  completed: 'Done',
  canceled: 'Stopped',
  failed: 'Ended early',
} as const

function TaskEntry({ task }: { task: Task }) {
  const { id, state, totalItems, succeeded, failed, skipped, canceled } = task
  const title = titleOf(task)
  const counts = [
    `${succeeded} of ${totalItems} done`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} left as they were`,
    canceled > 0 && `${canceled} canceled`,
  ].filter(Boolean)
  return (
    <Entry title={title} since={task.timeCreated} percent={isOpen(task) ? percentDone(task) : undefined}>
      <p className="text-secondary">
        {states[state]}: {counts.join(', ')}
      </p>
      {task.message && <p className="text-secondary">{capitalize(task.message)}</p>}
      {failed > 0 && <Failures task={task} />}
      {skipped > 0 && (
        <ItemsOf task={id} count={skipped} label="Which were left as they were" of={{ result: 'skipped' }} />
      )}
      <TaskControls task={task} title={title} />
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

function TaskControls({ task, title }: { task: Task; title: string }) {
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
        failed + canceled > 0 && (
          <RequestButton {...shared} request={requestTo(taskRetry, of)} aria-label={`Try again: ${title}`}>
            Try {failed + canceled} again
          </RequestButton>
        )
      )}
    </Controls>
  )
}
