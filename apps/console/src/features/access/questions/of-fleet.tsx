import { createFileRoute } from '@tanstack/react-router'
import { prefetchOperations } from './queries.ts'
import { questionSearch } from './search.ts'
import { WhoCan } from './WhoCan.tsx'

export const Route = createFileRoute('/_auth/system/access/who-can')({
  validateSearch: questionSearch,
  loader: () => prefetchOperations(),
  staticData: { crumb: { label: 'Who can do what' } },
  component: () => <WhoCan place={{ level: 'fleet' }} />,
})
