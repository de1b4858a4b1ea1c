import { createFileRoute, Outlet } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { words } from '#/features/access/place.ts'
import { PolicyPage } from '#/features/access/PolicyPage.tsx'
import { prefetchAccess } from '#/features/access/useAccess.ts'
import { MappedRoles } from './MappedRoles.tsx'

const place = { level: 'fleet' } as const

export const Route = createFileRoute('/_auth/system/_access')({
  loader: () => prefetchAccess(place),
  staticData: {
    isList: true,
    crumb: { label: words.fleet.title, to: () => sections.fleetAccess.list() },
  },
  component: FleetPolicy,
})

function FleetPolicy() {
  return (
    <PolicyPage place={place}>
      <MappedRoles />
      <Outlet />
    </PolicyPage>
  )
}
