import { projectView } from '@purlin/contract/operations/projects'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { load, query } from '../../../api.ts'
import { projectPlaces, projectsPlace } from '../../../parts/shell/places.tsx'
import { Shell } from '../../../parts/shell/Shell.tsx'
import { paths } from '../../../paths.ts'

export const Route = createFileRoute('/_auth/projects/$project')({
  loader: ({ params }) => load(query(projectView, { params: { project: params.project } })),
  staticData: { crumb: { label: 'Projects', to: () => paths.projects } },
  component: ProjectLayout,
})

function ProjectLayout() {
  const { project } = Route.useParams()
  return (
    <Shell
      top={[{ ...projectsPlace, exact: true }]}
      heading={project}
      items={projectPlaces(project)}
      group={`Project '${project}'`}
    >
      <Outlet />
    </Shell>
  )
}
