import { createFileRoute, Outlet } from '@tanstack/react-router'
import { PolicyPage } from '#/features/access/PolicyPage.tsx'
import { prefetchAccess } from '#/features/access/useAccess.ts'

const place = { level: 'silo' } as const

export const Route = createFileRoute('/_auth/_silo/_access-tabs/_access')({
  loader: () => prefetchAccess(place),
  staticData: {
    isList: true,
  },
  component: SiloPolicy,
})

function SiloPolicy() {
  return (
    <PolicyPage place={place} isTab>
      <Outlet />
    </PolicyPage>
  )
}
