import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Camera from 'lucide-react/icons/camera'
import { GuardedLink } from '#/resource/form/GuardedLink.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { ofOne } from '#/live/polling.ts'
import { Reference } from '#/resource/address/references.tsx'
import { useActions } from '#/resource/actions/actions.tsx'
import { imageDisabledReason, snapshotActions } from './actions.tsx'
import { MadeBy, useSnapshotPolling, WholeOf } from './snapshots.tsx'
import { SnapshotStateBadge } from '#/resource/list/StateBadge.tsx'
import { paths, sections } from '#/lib/addresses.ts'
import { ActivityInPanel } from '#/features/audit-log/lazyActivity.ts'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ageProperty, descriptionProperty, idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Summary } from '#/ui/value/Summary.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_snapshots/snapshots/$snapshot')({
  ...rowRoute(kinds.snapshot),
  loader: ({ params }) => loadRow(kinds.snapshot, params),
  component: SnapshotPanel,
})

function SnapshotPanel() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { lacks } = useRole(params.project)
  const { data: snapshot } = useSuspenseQuery({
    ...viewQuery(kinds.snapshot, params.snapshot, params),
    refetchInterval: ofOne(useSnapshotPolling()),
  })
  const close = () => navigate({ href: sections.snapshot.list(params.project) })
  const { menu, dialog } = useActions(snapshotActions(params.project, close), params)
  const main = [
    { label: 'State', value: <SnapshotStateBadge state={snapshot.state} /> },
    { label: 'Size', value: <Size bytes={snapshot.size} /> },
    // A name only: panels do not lead to further panels.
    {
      label: 'Disk',
      value: <Reference to="disk" id={snapshot.diskId} project={params.project} deleted="Deleted" plain />,
    },
    ageProperty(snapshot.timeCreated),
  ]
  const rest = [
    descriptionProperty(snapshot.description),
    ...tagsProperty(snapshot, sections.snapshot.list(params.project)),
    ...(snapshot.scheduleId === undefined
      ? []
      : [
          {
            label: 'Made by',
            value: <MadeBy id={snapshot.scheduleId} project={params.project} plain />,
          },
        ]),
    ...(snapshot.instanceSnapshotId === undefined
      ? []
      : [
          {
            label: 'Part of',
            value: <WholeOf id={snapshot.instanceSnapshotId} project={params.project} plain />,
          },
        ]),
    { label: 'Created', value: <DateTime date={snapshot.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={snapshot.timeModified} /> },
    idProperty(snapshot.id),
  ]
  return (
    <>
      <SideModal
        title="Snapshot"
        resource={{ icon: Camera, name: snapshot.name }}
        onDismiss={() => void close()}
        footer={
          <>
            <span className="mr-auto">
              <MenuButton label="Snapshot actions" items={menu(snapshot)}>
                Actions
              </MenuButton>
            </span>
            <Button onClick={() => void close()}>Close</Button>
            <GuardedLink
              href={paths.snapshotImageNew({ ...params, name: params.snapshot })}
              disabledReason={lacks('collaborator') ?? imageDisabledReason(snapshot)}
            >
              Create image
            </GuardedLink>
          </>
        }
      >
        <Summary main={main} />
        <PropertiesTable columns={1} properties={rest} />
        <ActivityInPanel resource={`snapshot:${snapshot.id}`} />
      </SideModal>
      {dialog}
    </>
  )
}
