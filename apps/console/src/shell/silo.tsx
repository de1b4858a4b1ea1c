import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { siloNavigation } from './navigation.tsx'
import { Shell } from './Shell.tsx'

export const Route = createFileRoute('/_auth/_silo')({ component: SiloLayout })

function SiloLayout() {
  const { data: me } = useSuspenseQuery(query(currentUserView, { query: {} }))
  return (
    <Shell heading={me.siloName} items={siloNavigation} group={`Silo '${me.siloName}'`}>
      <Outlet />
    </Shell>
  )
}
