import { createFileRoute } from '@tanstack/react-router'
import { SiloSizes } from './SiloSizes.tsx'
import { pagingSearch } from '#/resource/list/paging.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/machine-sizes')({
  validateSearch: pagingSearch,
  staticData: { crumb: { label: 'Machine sizes' } },
  component: MachineSizesTab,
})

function MachineSizesTab() {
  return <SiloSizes silo={Route.useParams().silo} />
}
