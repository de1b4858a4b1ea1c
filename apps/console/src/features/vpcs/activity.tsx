import { createFileRoute } from '@tanstack/react-router'
import { load, prefetch } from '#/api/query.ts'
import { Activity, activityQuery, mostShown } from '#/features/audit-log/Activity.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'

const vpcQuery = ({ project, vpc }: { project: string; vpc: string }) =>
  viewQuery(kinds.vpc, vpc, { project })
const resourceOf = ({ id }: { id: string }) => `vpc:${id}`

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/activity')({
  loader: async ({ params }) => prefetch(activityQuery(resourceOf(await load(vpcQuery(params))), mostShown)),
  staticData: { crumb: { label: 'Activity' } },
  component: ActivityTab,
})

/** The actions on the VPC and its content, and their actors. */
function ActivityTab() {
  const vpc = useLoaded(vpcQuery(Route.useParams()))
  return <Activity resource={resourceOf(vpc)} limit={mostShown} hasObjects />
}
