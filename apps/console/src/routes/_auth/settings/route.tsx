import { createFileRoute, Outlet } from '@tanstack/react-router'
import { projectsPlace, settingsPlaces } from '../../../parts/shell/places.tsx'
import { Shell } from '../../../parts/shell/Shell.tsx'
import { paths } from '../../../paths.ts'

export const Route = createFileRoute('/_auth/settings')({
  staticData: { crumb: { label: 'Settings', to: () => paths.profile } },
  component: () => (
    <Shell top={[projectsPlace]} heading="User" items={settingsPlaces} group="Settings">
      <Outlet />
    </Shell>
  ),
})
