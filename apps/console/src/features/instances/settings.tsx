import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { groupsOfQuery, groupsQuery } from '#/features/affinity-groups/queries.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { AntiAffinityCard } from './settings/AntiAffinityCard.tsx'
import { AutoRestartCard } from './settings/AutoRestartCard.tsx'
import { instanceQuery } from './queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/settings')({
  loader: ({ params }) => prefetch(groupsOfQuery(params), groupsQuery(params.project)),
  staticData: { crumb: { label: 'Settings' } },
  component: SettingsTab,
})

function SettingsTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  return (
    <div className="flex max-w-[740px] flex-col gap-5">
      <AntiAffinityCard target={target} instance={instance} />
      <AutoRestartCard target={target} instance={instance} />
    </div>
  )
}
