import { createFileRoute, Outlet } from '@tanstack/react-router'
import { projectsItem, settings, settingsNavigation } from '#/shell/navigation.tsx'
import { Shell } from '#/shell/Shell.tsx'
import { paths } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/settings')({
  staticData: { crumb: { label: 'Settings', to: () => paths.profile } },
  component: () => (
    <Shell top={[projectsItem]} heading="User" items={settingsNavigation} group={settings}>
      <Outlet />
    </Shell>
  ),
})
