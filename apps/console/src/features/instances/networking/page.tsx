import { createFileRoute } from '@tanstack/react-router'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ExternalIpsCard } from './ExternalIpsCard.tsx'
import { NetworkMode } from './NetworkMode.tsx'
import { NicsCard } from './NicsCard.tsx'
import { Reachability } from './Reachability.tsx'
import { instanceQuery } from '#/features/instances/queries.ts'
import { prefetchNetworking } from './prefetch.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/instances/$instance/_page/networking')({
  loader: ({ params }) => prefetchNetworking(params),
  staticData: { crumb: { label: 'Networking' } },
  component: NetworkingTab,
})

function NetworkingTab() {
  const target = Route.useParams()
  const instance = useLoaded(instanceQuery(target))
  const of = { target, instance }
  return (
    <div className="flex flex-col gap-5">
      <NetworkMode mode={instance.networkMode} />
      <Reachability {...of} />
      <ExternalIpsCard {...of} />
      <NicsCard {...of} />
    </div>
  )
}
