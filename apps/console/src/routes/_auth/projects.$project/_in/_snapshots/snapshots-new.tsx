import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { SnapshotForm } from '../../../../../parts/snapshot/SnapshotForm.tsx'
import { paths } from '../../../../../paths.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots/snapshots-new')({
  staticData: { crumb: { label: 'New snapshot', titleOnly: true } },
  component: CreateSnapshot,
})

function CreateSnapshot() {
  const { project } = Route.useParams()
  const navigate = useNavigate()
  const href = paths.snapshots(project)
  return (
    <SnapshotForm
      project={project}
      onDone={() => navigate({ href, ignoreBlocker: true })}
      onDismiss={() => void navigate({ href })}
      submitDisabledReason={useProjectRole(project).lacks('collaborator')}
    />
  )
}
