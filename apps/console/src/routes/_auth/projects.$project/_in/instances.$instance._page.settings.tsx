import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '../../../../api.ts'
import { groupsOfQuery, groupsQuery } from '../../../../parts/affinity/groups.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { AntiAffinityCard } from './-instances/AntiAffinityCard.tsx'
import { AutoRestartCard } from './-instances/AutoRestartCard.tsx'
import { instanceQuery } from './-instances/queries.ts'

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
