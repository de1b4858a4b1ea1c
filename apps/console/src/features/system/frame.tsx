import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { load, query } from '#/api/query.ts'
import { systemNavigation } from '#/shell/navigation.tsx'
import { Shell } from '#/shell/Shell.tsx'

// For those without a role on the fleet nothing is here. Decided before the pages in it load anything.
export const Route = createFileRoute('/_auth/system')({
  beforeLoad: async () => {
    const me = await load({ ...query(currentUserView, { query: {} }), staleTime: 60_000 })
    if (!me.fleetViewer) notFound({ throw: true })
  },
  component: () => (
    <Shell isSystem heading="System" items={systemNavigation} group="System">
      <Outlet />
    </Shell>
  ),
})
