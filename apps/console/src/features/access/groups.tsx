import { groupList } from '@purlin/contract/operations/silos/silos'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { PrincipalList, principalPage } from './people/PrincipalList.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/groups')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(principalPage(groupList, deps)),
  staticData: { crumb: { label: 'Groups', to: () => paths.groups } },
  component: () => <PrincipalList op={groupList} of="group" />,
})
