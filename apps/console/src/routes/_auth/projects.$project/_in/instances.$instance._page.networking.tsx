import { createFileRoute } from '@tanstack/react-router'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { useLoaded } from '../../../../parts/instance/useLoaded.ts'
import { ExternalIpsCard } from './-instances/networking/ExternalIpsCard.tsx'
import { NicsCard } from './-instances/networking/NicsCard.tsx'
import { instanceQuery, prefetchNetworking } from './-instances/queries.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/networking')({
  loader: ({ params }) => prefetchNetworking(params),
  staticData: { crumb: { label: 'Networking' } },
  component: NetworkingTab,
})

function NetworkingTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  const refused = useProjectRole(target.project).lacks('collaborator')
  const of = { target, instance, refused }
  return (
    <div className="flex flex-col gap-5">
      <ExternalIpsCard of={of} />
      <NicsCard of={of} />
    </div>
  )
}
