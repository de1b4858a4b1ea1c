import { instanceSnapshotList } from '@purlin/contract/operations/storage/instance-snapshots'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { disksQuery } from '../queries.ts'
import { WholeTable } from './WholeTable.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/snapshots')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) =>
    Promise.all([prefetch(disksQuery(params)), prefetch(listPage(instanceSnapshotList, params, deps))]),
  staticData: { crumb: { label: 'Snapshots' } },
  component: SnapshotsTab,
})

function SnapshotsTab() {
  return <WholeTable target={Route.useParams()} />
}
