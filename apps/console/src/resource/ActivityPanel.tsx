import { taskCancel, taskList, taskRetry, taskView } from '@purlin/contract/operations/tasks'
import type { Result } from '@purlin/contract/op'
import { countOf, nounOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { invalidate, query, useApi } from '#/api/query.ts'
import { capitalize } from '#/lib/text.ts'
import { Button } from '#/ui/Button.tsx'
import { ProgressBar } from '#/ui/ProgressBar.tsx'
import { RelativeTime } from '#/ui/RelativeTime.tsx'
import { SideModal } from '#/ui/SideModal.tsx'
import { addToast } from '#/ui/toast.ts'

type Task = Result<typeof taskList>['items'][number]

const shown = 20
const pollMs = 1000
const isOpen = ({ timeEnded }: Task): boolean => timeEnded == null

/** The tasks of the signed-in person: what runs and what ran, with what failed, and why. */
export function ActivityPanel({ onDismiss }: { onDismiss: () => void }) {
  const { data, error } = useQuery({
    ...query(taskList, { query: { limit: shown } }),
    throwOnError: false,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? pollMs : false),
  })
  const tasks = data?.items ?? []
  return (
    <SideModal title="Activity" animate onDismiss={onDismiss}>
      {error && <p className="text-secondary">Activity is not available: {errorMessage(error)}</p>}
      {data && tasks.length === 0 && (
        <p className="text-secondary">Nothing yet. What you do to several resources at once is shown here.</p>
      )}
      {tasks.map((task) => (
        <TaskEntry key={task.id} task={task} />
      ))}
    </SideModal>
  )
}

/** 'Stop 30 instances'. */
function titleOf({ action, kind, totalItems }: Task): string {
  const what = countOf(totalItems, nounOf(kind))
  if (action === 'add_to_group') return `Add ${what} to a group`
  return action === 'snapshot' ? `Make snapshots of ${what}` : `${capitalize(action)} ${what}`
}

const states = {
  waiting: 'Waiting',
  running: 'Running',
  completed: 'Done',
  canceled: 'Stopped',
  failed: 'Ended early',
} as const

function TaskEntry({ task }: { task: Task }) {
  const { state, totalItems, pending, succeeded, failed, skipped, canceled } = task
  const title = titleOf(task)
  const counts = [
    `${succeeded} of ${totalItems} done`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} left as they were`,
    canceled > 0 && `${canceled} canceled`,
  ].filter(Boolean)
  return (
    <section aria-label={title} className="space-y-1.5 border-b border-line-faint pb-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-[550] wrap-anywhere">{title}</h3>
        <RelativeTime date={task.timeCreated} />
      </div>
      {isOpen(task) && (
        <ProgressBar
          label={`Progress: ${title}`}
          percent={totalItems === 0 ? 0 : Math.floor((100 * (totalItems - pending)) / totalItems)}
        />
      )}
      <p className="text-secondary">
        {states[state]}: {counts.join(', ')}
      </p>
      {task.message && <p className="text-secondary">{capitalize(task.message)}</p>}
      {failed > 0 && <Failures task={task} />}
      <Controls task={task} title={title} />
    </section>
  )
}

/** Why items failed, the most frequent reasons first. */
function Failures({ task: { id, failed } }: { task: Task }) {
  const { data } = useQuery({
    ...query(taskView, { params: { task: id } }),
    throwOnError: false,
    queryKey: ['failures of a task', id, failed],
  })
  return (
    <ul className="max-h-40 space-y-1 overflow-y-auto text-danger">
      {data?.failures?.map(({ message, count }) => (
        <li key={message} className="wrap-anywhere">
          {count} × {message}
        </li>
      ))}
    </ul>
  )
}

function Controls({ task, title }: { task: Task; title: string }) {
  const { id, failed, canceled } = task
  const again = () => invalidate(taskList)
  const on = {
    success: again,
    error: (error: Error) => addToast({ variant: 'error', title, content: errorMessage(error) }),
  }
  const stop = useApi(taskCancel, on)
  const retry = useApi(taskRetry, on)
  const of = { params: { task: id } }
  if (isOpen(task))
    return (
      <Button
        size="small"
        pending={stop.isPending}
        onClick={() => stop.mutate(of)}
        aria-label={`Stop: ${title}`}
      >
        Stop
      </Button>
    )
  if (failed + canceled === 0) return null
  return (
    <Button
      size="small"
      pending={retry.isPending}
      onClick={() => retry.mutate(of)}
      aria-label={`Try again: ${title}`}
    >
      Try {failed + canceled} again
    </Button>
  )
}
