import { createFileRoute } from '@tanstack/react-router'
import { load, prefetch } from '#/api/query.ts'
import { ActivityExplorer, activityPage } from '#/features/audit-log/ActivityExplorer.tsx'
import { activitySearch } from '#/features/audit-log/search.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { instanceQuery } from './queries.ts'

const resourceOf = ({ id }: { id: string }) => `instance:${id}`

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/activity')({
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) =>
    prefetch(activityPage(resourceOf(await load(instanceQuery(params))), deps)),
  staticData: { crumb: { label: 'Activity' } },
  component: ActivityTab,
})

/** The actions on the instance, and their actors. */
function ActivityTab() {
  const instance = useLoaded(instanceQuery(Route.useParams()))
  return <ActivityExplorer resource={resourceOf(instance)} />
}
