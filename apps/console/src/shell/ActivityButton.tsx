import ListChecks from 'lucide-react/icons/list-checks'
import {
  activityPanel,
  activityStore,
  closeActivity,
  heldPage,
  openActivity,
} from '#/resource/actions/activity.ts'
import { useStore } from '#/lib/store.ts'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { lazyDialog } from '#/ui/overlay/lazyDialog.tsx'

const ActivityPanel = lazyDialog(activityPanel, 'ActivityPanel')

/** Opens the panel with running and recent tasks and uploads, which is here wherever it is opened from. */
export function ActivityButton() {
  const isOpen = useStore(activityStore)
  const uploads = useStore(heldPage)
  const running = uploads === 1 ? 'An upload is running' : `${uploads} uploads are running`
  return (
    <>
      <IconButton
        label="Activity"
        title={uploads > 0 ? running : 'Activity'}
        aria-expanded={isOpen}
        className="relative"
        onClick={openActivity}
      >
        <ListChecks size={16} />
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
