import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { diskActions } from './actions.tsx'
import { useDiskPolling } from './disks.tsx'
import { DiskPanel } from './DiskPanel.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { loadRow, rowRoute } from '#/resource/address/routeOptions.tsx'
import { ofOne } from '#/live/polling.ts'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_disks/disks/$disk')({
  ...rowRoute(kinds.disk),
  loader: ({ params }) => loadRow(kinds.disk, params),
  component: ShowDisk,
})

function ShowDisk() {
  const params = Route.useParams()
  const navigate = useNavigate()
  const { data: disk } = useSuspenseQuery({
    ...viewQuery(kinds.disk, params.disk, params),
    refetchInterval: ofOne(useDiskPolling()),
  })
  const close = () => navigate({ href: sections.disk.list(params.project) })
  return (
    <DiskPanel
      project={params.project}
      disk={disk}
      actions={diskActions(params.project, { leave: close })}
      onDismiss={() => void close()}
    />
  )
}
