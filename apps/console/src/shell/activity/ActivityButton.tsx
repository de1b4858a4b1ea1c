import ListChecks from 'lucide-react/icons/list-checks'
import {
  activityPanel,
  activityStore,
  closeActivity,
  heldPage,
  openActivity,
  openTasks,
} from '#/resource/actions/activity.ts'
import { paths } from '#/lib/addresses.ts'
import { useQuickActions } from '#/resource/actions/quickActions.ts'
import { useStore } from '#/lib/store.ts'
import { cx } from '#/lib/text.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { lazily } from '#/lib/lazily.tsx'

const ActivityPanel = lazily(activityPanel, 'ActivityPanel')

/** Opens the panel with running and recent tasks and uploads, which is here wherever it is opened from. */
export function ActivityButton() {
  const isOpen = useStore(activityStore)
  const uploads = useStore(heldPage)
  const tasks = [...useStore(openTasks).values()]
  const done = tasks.reduce((sum, one) => sum + one.done, 0)
  const total = tasks.reduce((sum, one) => sum + one.total, 0)
  useQuickActions([{ label: 'Tasks', group: 'Go to', href: paths.tasks() }], 'layout')
  const running = uploads === 1 ? 'An upload is running' : `${uploads} uploads are running`
  return (
    <>
      <IconButton
        label="Activity"
        title={uploads > 0 ? running : 'Activity'}
        aria-expanded={isOpen}
        className={cx('relative', tasks.length > 0 && 'w-auto grid-flow-col items-center gap-1.5 px-2')}
        onClick={openActivity}
      >
        <ListChecks size={16} />
        {tasks.length > 0 && (
          <span className="mono text-hint whitespace-nowrap">
            {done} of {total}
          </span>
        )}
        {uploads > 0 && (
          <span
            aria-hidden
            className="absolute top-1 right-1 size-2 rounded-full border border-transparent bg-accent"
          />
        )}
      </IconButton>
      {isOpen && <ActivityPanel onDismiss={closeActivity} />}
    </>
  )
}
