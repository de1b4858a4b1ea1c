import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Failures } from './Failures.tsx'
import { Imports } from './Imports.tsx'
import { Tasks } from './Tasks.tsx'
import { Uploads } from './Uploads.tsx'

/** What the signed-in person has begun: uploads, imports and tasks that run and ran, with what failed, and why. */
export function ActivityPanel({ onDismiss }: { onDismiss: () => void }) {
  return (
    <SideModal title="Activity" animate onDismiss={onDismiss}>
      <Uploads />
      <Imports onLeave={onDismiss} />
      <Tasks />
      <Failures />
    </SideModal>
  )
}
