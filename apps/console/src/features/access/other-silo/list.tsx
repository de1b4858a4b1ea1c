import { createFileRoute, Outlet } from '@tanstack/react-router'
import { PolicyPage } from '#/features/access/PolicyPage.tsx'
import { prefetchAccess } from '#/features/access/useAccess.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/_access')({
  loader: ({ params: { silo } }) => prefetchAccess({ level: 'silo', silo }),
  staticData: { isList: true, crumb: { label: 'Access' } },
  component: PolicyOfSilo,
})

/** The roles on the silo, for operators. */
function PolicyOfSilo() {
  const { silo } = Route.useParams()
  return (
    <PolicyPage place={{ level: 'silo', silo }} isTab>
      <Outlet />
    </PolicyPage>
  )
}
