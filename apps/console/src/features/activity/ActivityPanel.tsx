import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Failures } from './Failures.tsx'
import { Imports } from './Imports.tsx'
import { Tasks } from './Tasks.tsx'
import { Uploads } from './Uploads.tsx'

/** The background work of the signed-in user: uploads, imports and tasks, with their failures and reasons. */
export function ActivityPanel({ onDismiss }: { onDismiss: () => void }) {
  return (
    <SideModal title="Activity" animate onDismiss={onDismiss}>
      <Uploads />
      <Imports onLeave={onDismiss} />
      <Tasks onLeave={onDismiss} />
      <Failures />
    </SideModal>
  )
}
