import { createFileRoute, Outlet } from '@tanstack/react-router'
import { sections } from '#/lib/addresses.ts'
import { words } from './place.ts'
import { PolicyPage } from './PolicyPage.tsx'
import { prefetchAccess } from './useAccess.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_access')({
  loader: ({ params: { project } }) => prefetchAccess({ level: 'project', project }),
  staticData: {
    isList: true,
    crumb: { label: words.project.title, to: (params) => sections.access.list(params['project'] ?? '') },
  },
  component: ProjectAccess,
})

function ProjectAccess() {
  const { project } = Route.useParams()
  return (
    <PolicyPage place={{ level: 'project', project }}>
      <Outlet />
    </PolicyPage>
  )
}
