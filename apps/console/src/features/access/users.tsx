import { userList } from '@purlin/contract/operations/silos/silos'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { NewUserDialog } from './people/LocalUserDialogs.tsx'
import { placeOf, useUserMenu } from './people/useUserMenu.tsx'
import { PrincipalList, principalPage } from './people/PrincipalList.tsx'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/users')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(principalPage(userList, deps)),
  staticData: { crumb: { label: 'Users', to: () => paths.users } },
  component: Users,
})

function Users() {
  const [isAdding, setAdding] = useState(false)
  const local = useLocalSilo()
  const { silo, disabledReason } = local
  const { menu, dialog } = useUserMenu(placeOf(local))
  return (
    <>
      <PrincipalList op={userList} of="user" menu={menu}>
        {silo !== undefined && (
          <NewButton disabledReason={disabledReason} onClick={() => setAdding(true)}>
            New user
          </NewButton>
        )}
      </PrincipalList>
      {dialog}
      {isAdding && silo !== undefined && <NewUserDialog silo={silo} onDismiss={() => setAdding(false)} />}
    </>
  )
}
