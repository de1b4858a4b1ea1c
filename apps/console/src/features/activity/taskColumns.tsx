import { UserName } from '#/resource/UserName.tsx'
import { ProgressBar } from '#/ui/feedback/ProgressBar.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { countsOf, isOpen, percentDone, titleOf, type Task } from './ownTasks.ts'

const tones: Record<Task['state'], BadgeTone> = {
  waiting: 'idle',
  running: 'busy',
  completed: 'ok',
  canceled: 'idle',
  failed: 'danger',
}

/** `hrefOf` is the address of a task. */
export const taskColumns = (hrefOf: (task: Task) => string): readonly Column<Task>[] => [
  {
    id: 'task',
    header: 'task',
    isRowHeader: true,
    cell: (task) => <CellLink href={hrefOf(task)}>{titleOf(task)}</CellLink>,
  },
  {
    id: 'state',
    header: 'state',
    width: '8rem',
    cell: ({ state, failed }) => (
      <Badge
        tone={state === 'completed' && failed > 0 ? 'warn' : tones[state]}
        dot
        pulsing={state === 'running'}
      >
        {state}
      </Badge>
    ),
  },
  {
    id: 'progress',
    header: 'progress',
    cell: (task) => (
      <span className="block min-w-40 py-2 whitespace-normal">
        {countsOf(task)}
        {isOpen(task) && <ProgressBar label={`Progress: ${titleOf(task)}`} percent={percentDone(task)} />}
      </span>
    ),
  },
  {
    id: 'by',
    header: 'by',
    spare: 1,
    cell: ({ userId, schedule }) => (
      <>
        {userId !== undefined && <UserName userId={userId} />}
        {schedule !== undefined && <span className="text-secondary">, by a schedule</span>}
      </>
    ),
  },
  {
    id: 'created',
    header: 'created',
    width: '11rem',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
  {
    id: 'ended',
    header: 'ended',
    width: '11rem',
    spare: 2,
    cell: ({ timeEnded }) => timeEnded && <DateTime date={timeEnded} />,
  },
]
