import { errorMessage } from '#/api/errors.ts'
import { paths } from '#/lib/addresses.ts'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Controls } from './Entry.tsx'
import { useTasks } from './ownTasks.ts'
import { TaskEntry } from './TaskEntry.tsx'

/** The tasks of the signed-in person. The stream of events tells of their progress, or it is polled. */
export function Tasks({ onLeave }: { onLeave: () => void }) {
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
      <Controls>
        <LinkButton size="small" href={paths.tasks()} onClick={onLeave}>
          All tasks
        </LinkButton>
      </Controls>
    </>
  )
}
