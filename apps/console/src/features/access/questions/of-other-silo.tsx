import { createFileRoute } from '@tanstack/react-router'
import { prefetchOperations } from './queries.ts'
import { questionSearch } from './search.ts'
import { WhoCan } from './WhoCan.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/access/who-can')({
  validateSearch: questionSearch,
  loader: () => prefetchOperations(),
  staticData: { crumb: { label: 'Who can do what' } },
  component: AboutSilo,
})

function AboutSilo() {
  const { silo } = Route.useParams()
  return <WhoCan place={{ level: 'silo', silo }} />
}
