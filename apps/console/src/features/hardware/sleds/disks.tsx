import { sledPhysicalDiskList } from '@purlin/contract/operations/hardware/hardware'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { roleScope } from '#/resource/kind.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { physicalDisk, type PhysicalDisk } from '../kinds.ts'
import { diskActions } from '../parts/actions.tsx'
import { diskColumns } from '../parts/diskColumns.tsx'

const disksOn = (sledId: string, search: PagingSearch) => listPage(sledPhysicalDiskList, { sledId }, search)

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId/disks')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(disksOn(params.sledId, deps)),
  staticData: { crumb: { label: 'Disks' } },
  component: DisksTab,
})

const { icon: Icon } = physicalDisk
const columns = diskColumns()

/** The disks in the sled, expunged ones too. */
function DisksTab() {
  const { sledId } = Route.useParams()
  const { menu, dialog } = useActions(diskActions, {}, roleScope(physicalDisk, {}))
  return (
    <>
      <QueryTable<PhysicalDisk>
        label="Disks"
        queried={filteredKindOf(sledPhysicalDiskList)}
        query={disksOn(sledId, Route.useSearch())}
        columns={columns}
        actions={(row) => <RowMenu items={menu(row)} />}
        empty={<EmptyState icon={<Icon />} title="No disks" body="The sled has not reported any disk." />}
      />
      {dialog}
    </>
  )
}
