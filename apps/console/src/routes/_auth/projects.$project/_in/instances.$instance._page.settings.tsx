import { createFileRoute } from '@tanstack/react-router'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { AutoRestartCard } from './-instances/AutoRestartCard.tsx'
import { instanceQuery } from './-instances/queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/settings')({
  staticData: { crumb: { label: 'Settings' } },
  component: SettingsTab,
})

function SettingsTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  return (
    <div className="flex max-w-[740px] flex-col gap-5">
      <AutoRestartCard target={target} instance={instance} />
    </div>
  )
}
