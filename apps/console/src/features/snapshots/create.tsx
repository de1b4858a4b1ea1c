import { createFileRoute } from '@tanstack/react-router'
import { SnapshotForm } from '#/features/disks/SnapshotForm.tsx'
import { formRoute } from '#/resource/address/routeOptions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots/snapshots-new')({
  ...formRoute('New snapshot'),
  component: CreateSnapshot,
})

function CreateSnapshot() {
  const { project } = Route.useParams()
  return <SnapshotForm project={project} />
}
