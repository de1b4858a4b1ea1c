import { groupList } from '@purlin/contract/operations/silos/silos'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { prefetch } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { NewGroupDialog } from './people/GroupDialogs.tsx'
import { PrincipalList, principalPage } from './people/PrincipalList.tsx'
import { useGroupMenu } from './people/useGroupMenu.tsx'
import { placeOf } from './people/useUserMenu.tsx'

export const Route = createFileRoute('/_auth/_silo/_access-tabs/access/groups')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetch(principalPage(groupList, deps)),
  staticData: { crumb: { label: 'Groups', to: () => paths.groups } },
  component: Groups,
})

function Groups() {
  const [isAdding, setAdding] = useState(false)
  const local = useLocalSilo()
  const { silo, disabledReason } = local
  const { menu, dialog } = useGroupMenu(placeOf(local))
  return (
    <>
      <PrincipalList op={groupList} of="group" menu={menu}>
        {silo !== undefined && (
          <NewButton disabledReason={disabledReason} onClick={() => setAdding(true)}>
            New group
          </NewButton>
        )}
      </PrincipalList>
      {dialog}
      {isAdding && silo !== undefined && <NewGroupDialog silo={silo} onDismiss={() => setAdding(false)} />}
    </>
  )
}
