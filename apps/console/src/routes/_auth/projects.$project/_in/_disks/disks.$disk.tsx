import { diskView } from '@purlin/contract/operations/disks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { load, query } from '../../../../../api.ts'
import { useDiskPolling } from '../../../../../parts/disk/disks.tsx'
import { DiskPanel } from '../../../../../parts/disk/DiskPanel.tsx'
import { PanelError } from '../../../../../parts/PanelError.tsx'
import { ofOne } from '../../../../../parts/polling.ts'
import { paths } from '../../../../../paths.ts'

const read = (params: { project: string; disk: string }) =>
  query(diskView, { params: { disk: params.disk }, query: { project: params.project } })

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks/$disk')({
  loader: ({ params }) => load(read(params)),
  staticData: { crumb: { label: (params) => params['disk'] ?? '', titleOnly: true } },
  component: ShowDisk,
  errorComponent: Failed,
})

function Failed({ error }: { error: unknown }) {
  return <PanelError error={error} href={paths.disks(Route.useParams().project)} />
}

function ShowDisk() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data: disk } = useSuspenseQuery({
    ...read(params),
    refetchInterval: ofOne(useDiskPolling()),
  })
  const close = () => void navigate({ href: paths.disks(params.project) })
  return <DiskPanel project={params.project} disk={disk} onDismiss={close} />
}
