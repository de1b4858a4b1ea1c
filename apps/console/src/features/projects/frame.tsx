import { projectView } from '@purlin/contract/operations/projects/projects'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { load, query } from '#/api/query.ts'
import { projectNavigation, projectsItem } from '#/shell/navigation.tsx'
import { Shell } from '#/shell/Shell.tsx'
import { sections } from '#/lib/addresses.ts'

export const Route = createFileRoute('/_auth/projects/$project')({
  loader: ({ params }) => load(query(projectView, { params: { project: params.project } })),
  staticData: { crumb: { label: 'Projects', to: () => sections.project.list() } },
  component: ProjectLayout,
})

function ProjectLayout() {
  const { project } = Route.useParams()
  return (
    <Shell
      top={[{ ...projectsItem, exact: true }]}
      heading={project}
      items={projectNavigation(project)}
      group={`Project '${project}'`}
    >
      <Outlet />
    </Shell>
  )
}
