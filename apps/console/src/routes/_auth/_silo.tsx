import { currentUserView } from '@purlin/contract/operations/session'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { query } from '../../api.ts'
import { siloPlaces } from '../../parts/shell/places.tsx'
import { Shell } from '../../parts/shell/Shell.tsx'

export const Route = createFileRoute('/_auth/_silo')({ component: SiloLayout })

function SiloLayout() {
  const { data: me } = useSuspenseQuery(query(currentUserView, {}))
  return (
    <Shell heading={me.siloName} items={siloPlaces} group={`Silo '${me.siloName}'`}>
      <Outlet />
    </Shell>
  )
}
