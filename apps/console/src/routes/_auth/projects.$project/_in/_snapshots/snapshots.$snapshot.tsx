import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Camera from 'lucide-react/icons/camera'
import { load } from '../../../../../api.ts'
import { GuardedLink } from '../../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { ofOne } from '../../../../../parts/polling.ts'
import {
  DiskOf,
  imageRefusal,
  snapshotQuery,
  useSnapshotPolling,
} from '../../../../../parts/snapshot/snapshots.tsx'
import { SnapshotStateBadge } from '../../../../../parts/StateBadge.tsx'
import { paths } from '../../../../../paths.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '../../../../../ui/PropertiesTable.tsx'
import { SideModal } from '../../../../../ui/SideModal.tsx'
import { Size } from '../../../../../ui/Size.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots/snapshots/$snapshot')({
  loader: ({ params }) => load(snapshotQuery(params)),
  staticData: { crumb: { label: (params) => params['snapshot'] ?? '', titleOnly: true } },
  component: SnapshotPanel,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.snapshots(Route.useParams().project)} />
}

function SnapshotPanel() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const refused = useProjectRole(params.project).lacks('collaborator')
  const { data: snapshot } = useSuspenseQuery({
    ...snapshotQuery(params),
    refetchInterval: ofOne(useSnapshotPolling()),
  })
  const close = () => void navigate({ href: paths.snapshots(params.project) })
  const properties = [
    idProperty(snapshot.id),
    descriptionProperty(snapshot.description),
    { label: 'State', value: <SnapshotStateBadge state={snapshot.state} /> },
    // A name only: panels do not lead to further panels.
    { label: 'Disk', value: <DiskOf project={params.project} snapshot={snapshot} /> },
    { label: 'Size', value: <Size bytes={snapshot.size} /> },
    { label: 'Created', value: <DateTime date={snapshot.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={snapshot.timeModified} /> },
  ]
  return (
    <SideModal
      title="Snapshot"
      resource={
        <>
          <Camera aria-hidden /> {snapshot.name}
        </>
      }
      onDismiss={close}
      footer={
        <>
          <Button onClick={close}>Close</Button>
          <GuardedLink href={paths.snapshotImageNew(params)} refused={refused ?? imageRefusal(snapshot)}>
            Create image
          </GuardedLink>
        </>
      }
    >
      <PropertiesTable columns={1} properties={properties} />
    </SideModal>
  )
}
