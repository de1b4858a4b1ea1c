import { diskView } from '@purlin/contract/operations/disks'
import { imageView } from '@purlin/contract/operations/images'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { load, query } from '../../../../../api.ts'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { DiskStateBadge } from '../../../../../parts/StateBadge.tsx'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/Badge.tsx'
import { Button } from '../../../../../ui/Button.tsx'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { idProperty, PropertiesTable } from '../../../../../ui/PropertiesTable.tsx'
import { SideModal } from '../../../../../ui/SideModal.tsx'
import { Size } from '../../../../../ui/Size.tsx'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import { AttachedTo } from './-AttachedTo.tsx'
import type { Disk } from './-diskActions.tsx'
import { useDiskPolling } from './-polling.ts'

const disk = (params: { project: string; disk: string }) =>
  query(diskView, { params: { disk: params.disk }, query: { project: params.project } })

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks/$disk')({
  loader: ({ params }) => load(disk(params)),
  staticData: { crumb: { label: (params) => params['disk'] ?? '', titleOnly: true } },
  component: DiskPanel,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.disks(Route.useParams().project)} />
}

function DiskPanel() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const poll = useDiskPolling()
  const { data } = useSuspenseQuery({
    ...disk(params),
    refetchInterval: ({ state }) => poll(state.data && { items: [state.data] }),
  })
  const close = () => void navigate({ href: paths.disks(params.project) })
  const properties = [
    idProperty(data.id),
    { label: 'Description', value: data.description },
    { label: 'State', value: <DiskStateBadge state={data.state.state} /> },
    { label: 'Attached to', value: <AttachedTo project={params.project} state={data.state} /> },
    { label: 'Size', value: <Size bytes={data.size} /> },
    { label: 'Block size', value: <span className="mono">{data.blockSize} B</span> },
    { label: 'Source', value: <Source disk={data} /> },
    { label: 'Created', value: <DateTime date={data.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={data.timeModified} /> },
  ]
  return (
    <SideModal
      title="Disk"
      resource={
        <>
          <HardDrive aria-hidden /> {data.name}
        </>
      }
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
    </SideModal>
  )
}

/** What the disk was made from. Its source may be gone, the disk is none the worse for it. */
function Source({ disk: { imageId, snapshotId } }: { disk: Disk }) {
  if (imageId) return <ImageName id={imageId} />
  return snapshotId ? (
    <>
      Snapshot <span className="mono">{snapshotId}</span>
    </>
  ) : (
    'Blank'
  )
}

function ImageName({ id }: { id: string }) {
  const { data, isPending } = useQuery({
    ...query(imageView, { params: { image: id }, query: {} }),
    throwOnError: false,
  })
  if (isPending) return <Skeleton className="h-2.5 w-24 align-middle" />
  return data ? <>Image {data.name}</> : <Badge>Image deleted</Badge>
}
