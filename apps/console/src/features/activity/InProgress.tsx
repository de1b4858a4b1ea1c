import { errorMessage } from '#/api/errors.ts'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { TimedLine } from '#/ui/layout/TimedLine.tsx'
import type { ReactNode } from 'react'
import { isOpen, percentDone, titleOf, useTasks, type Task } from './ownTasks.ts'

/** Work that is under way. */
export interface Work {
  key: string
  text: ReactNode
  since?: Date | undefined
  /** How much is done, and of what for assistive technology. */
  progress?: { percent: number; label: string } | undefined
}

const workOf = (task: Task): Work => ({
  key: task.id,
  text: (
    <>
      {titleOf(task)}{' '}
      <span className="text-secondary">
        {task.succeeded} of {task.totalItems} done{task.failed > 0 && `, ${task.failed} failed`}
      </span>
    </>
  ),
  since: task.timeCreated,
  progress: { percent: percentDone(task), label: `Progress: ${titleOf(task)}` },
})

/** The work that is under way, with the own tasks that have not ended. `works` is undefined while it is not known. */
export function InProgress({ works, none }: { works: readonly Work[] | undefined; none: string }) {
  const { data, error } = useTasks()
  const tasks = data?.items ?? (error ? [] : undefined)
  const items = works && tasks && [...works, ...tasks.filter(isOpen).map(workOf)]
  return (
    <LinesCard
      title="In progress"
      items={items}
      keyOf={({ key }) => key}
      line={({ text, since, progress }) => (
        <div className="flex flex-col gap-1.5">
          <TimedLine date={since} caption="Since">
            {text}
          </TimedLine>
          {progress && <ProgressBar {...progress} />}
        </div>
      )}
      none={none}
      footer={error && <p>Your tasks are not available: {errorMessage(error)}</p>}
    />
  )
}
