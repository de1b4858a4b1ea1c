import { createFileRoute } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import { prefetch } from '#/api/query.ts'
import { ActivityExplorer, activityPage } from '#/features/audit-log/ActivityExplorer.tsx'
import { activitySearch } from '#/features/audit-log/search.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'

const resourceOf = ({ project }: { project: string }) => `project:${project}`

export const Route = createFileRoute('/_auth/projects/$project/_in/activity')({
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(activityPage(resourceOf(params), deps)),
  staticData: { crumb: { label: 'Activity' } },
  component: ProjectActivity,
})

/** The actions on the project and its content, and their actors. */
function ProjectActivity() {
  return (
    <>
      <PageHeader icon={<ScrollText />} title="Activity" />
      <ActivityExplorer resource={resourceOf(Route.useParams())} hasObjects />
    </>
  )
}
