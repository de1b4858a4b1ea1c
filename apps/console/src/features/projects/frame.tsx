import { projectView } from '@purlin/contract/operations/projects/projects'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { load, prefetch, query } from '#/api/query.ts'
import { projectNavigation, projectsItem } from '#/shell/navigation.tsx'
import { Shell } from '#/shell/Shell.tsx'
import { sections } from '#/lib/addresses.ts'
import { ownQueries } from '#/resource/role/useRole.ts'

const projectQuery = (project: string) => query(projectView, { params: { project } })

export const Route = createFileRoute('/_auth/projects/$project')({
  loader: ({ params }) => {
    // The page does not wait for it. If it came with the document, its buttons know the permissions immediately.
    void prefetch(ownQueries.in(params.project))
    return load(projectQuery(params.project))
  },
  staticData: { crumb: { label: 'Projects', to: () => sections.project.list() } },
  component: ProjectLayout,
})

function ProjectLayout() {
  const { project } = Route.useParams()
  const me = useQuery(ownQueries.me())
  // Kept up to date, so that the page learns of a new name. Without the project the pages below say so.
  useQuery({ ...projectQuery(project), staleTime: Infinity, throwOnError: false })
  return (
    <Shell
      top={[{ ...projectsItem, exact: true }]}
      heading={project}
      items={projectNavigation(project, me.data?.fleetViewer === true)}
      group={`Project '${project}'`}
    >
      <Outlet />
    </Shell>
  )
}
