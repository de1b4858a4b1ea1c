import { userList } from '@purlin/contract/operations/silos'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/paging.ts'
import { PrincipalList, principalPage } from './PrincipalList.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/users')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(principalPage(userList, deps)),
  staticData: { crumb: { label: 'Users', to: () => paths.users } },
  component: () => <PrincipalList op={userList} of="user" />,
})
