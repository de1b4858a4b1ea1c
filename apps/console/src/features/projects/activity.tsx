import { createFileRoute } from '@tanstack/react-router'
import ScrollText from 'lucide-react/icons/scroll-text'
import { prefetch } from '#/api/query.ts'
import { Activity, activityQuery, mostShown } from '#/features/audit-log/Activity.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'

const resourceOf = ({ project }: { project: string }) => `project:${project}`

export const Route = createFileRoute('/_auth/projects/$project/_in/activity')({
  loader: ({ params }) => prefetch(activityQuery(resourceOf(params), mostShown)),
  staticData: { crumb: { label: 'Activity' } },
  component: ProjectActivity,
})

/** The actions on the project and its content, and their actors. */
function ProjectActivity() {
  return (
    <>
      <PageHeader icon={<ScrollText />} title="Activity" />
      <Activity resource={resourceOf(Route.useParams())} limit={mostShown} hasObjects />
    </>
  )
}
