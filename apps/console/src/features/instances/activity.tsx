import { createFileRoute } from '@tanstack/react-router'
import { load, prefetch } from '#/api/query.ts'
import { Activity, activityQuery, mostShown } from '#/features/audit-log/Activity.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { instanceQuery } from './queries.ts'

const resourceOf = ({ id }: { id: string }) => `instance:${id}`

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/activity')({
  loader: async ({ params }) =>
    prefetch(activityQuery(resourceOf(await load(instanceQuery(params))), mostShown)),
  staticData: { crumb: { label: 'Activity' } },
  component: ActivityTab,
})

/** The actions on the instance, and their actors. */
function ActivityTab() {
  const instance = useLoaded(instanceQuery(Route.useParams()))
  return <Activity resource={resourceOf(instance)} limit={mostShown} />
}
