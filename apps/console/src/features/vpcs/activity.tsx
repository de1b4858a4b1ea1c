import { createFileRoute } from '@tanstack/react-router'
import { load, prefetch } from '#/api/query.ts'
import { ActivityExplorer, activityPage } from '#/features/audit-log/ActivityExplorer.tsx'
import { activitySearch } from '#/features/audit-log/search.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'

const vpcQuery = ({ project, vpc }: { project: string; vpc: string }) =>
  viewQuery(kinds.vpc, vpc, { project })
const resourceOf = ({ id }: { id: string }) => `vpc:${id}`

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/activity')({
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => prefetch(activityPage(resourceOf(await load(vpcQuery(params))), deps)),
  staticData: { crumb: { label: 'Activity' } },
  component: ActivityTab,
})

/** The actions on the VPC and its content, and their actors. */
function ActivityTab() {
  const vpc = useLoaded(vpcQuery(Route.useParams()))
  return <ActivityExplorer resource={resourceOf(vpc)} hasObjects />
}
