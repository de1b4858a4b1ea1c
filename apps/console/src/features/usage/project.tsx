import { createFileRoute } from '@tanstack/react-router'
import { paths } from '#/lib/addresses.ts'
import { Report } from './Report.tsx'
import { prefetchReport } from './report.ts'
import { reportSearch } from './search.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/usage')({
  validateSearch: reportSearch('project'),
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) => prefetchReport({ level: 'project', project }, deps),
  staticData: { crumb: { label: 'Usage', to: (params) => paths.projectUsage(params['project'] ?? '') } },
  component: ProjectUsage,
})

function ProjectUsage() {
  const { project } = Route.useParams()
  return <Report subject={{ level: 'project', project }} />
}
