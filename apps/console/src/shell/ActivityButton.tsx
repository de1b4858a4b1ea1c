import ListChecks from 'lucide-react/icons/list-checks'
import { useSyncExternalStore } from 'react'
import { activityStore, closeActivity, openActivity } from '#/resource/activity.ts'
import { IconButton } from '#/ui/IconButton.tsx'
import { lazyDialog } from '#/ui/lazyDialog.tsx'

const ActivityPanel = lazyDialog(() => import('#/resource/ActivityPanel.tsx'), 'ActivityPanel')

/** Opens the panel with running and recent tasks, which is here wherever it is opened from. */
export function ActivityButton() {
  const isOpen = useSyncExternalStore(activityStore.subscribe, activityStore.get)
  return (
    <>
      <IconButton label="Activity" title="Activity" aria-expanded={isOpen} onClick={openActivity}>
        <ListChecks size={16} />
      </IconButton>
      {isOpen && <ActivityPanel onDismiss={closeActivity} />}
    </>
  )
}
