import type { physicalDiskList } from '@purlin/contract/operations/hardware/hardware'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { physicalDisk, sledsQuery } from '../kinds.ts'
import { diskActions } from '../parts/actions.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { diskColumns } from '../parts/diskColumns.tsx'

export const Route = createFileRoute('/_auth/system/inventory/_tabs/disks')({
  ...listRoute({ title: 'Disks', section: sections.physicalDisk }),
  staticData: { crumb: { label: 'Disks', to: () => sections.physicalDisk.list() } },
  loader: (match) => loadList(disks, match),
  component: () => <ResourceList list={disks} />,
})

const disks: ListOf<typeof physicalDiskList> = {
  kind: physicalDisk,
  isTab: true,
  create: false,
  emptyTitle: 'No disks found',
  emptyBody: 'Disks appear here once their sled has reported them.',
  actions: () => diskActions,
  columns: () =>
    diskColumns([
      { id: 'sled', header: 'sled', cell: ({ sledId }) => (sledId ? <SledLink id={sledId} /> : <Dash />) },
    ]),
}

/** The sled by its serial number, which is read with all sleds. */
function SledLink({ id }: { id: string }) {
  const sleds = useQuery({ ...sledsQuery(), throwOnError: false }).data
  const label = sleds?.find((one) => one.id === id)?.baseboard.serial
  return <HardwareLink kind="sled" id={id} label={label} />
}
