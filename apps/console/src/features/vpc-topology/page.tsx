import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import Network from 'lucide-react/icons/network'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { prefetch } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { listPoller } from '#/features/instance-state/poll.ts'
import { paths } from '#/lib/addresses.ts'
import { ownNow } from '#/lib/clock.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { cutText, nodesOf } from './nodes.ts'
import { topologyQuery } from './queries.ts'
import { TopologyList } from './TopologyList.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/topology')({
  validateSearch: ({ view }: Record<string, unknown>): { view?: 'list' } => (view === 'list' ? { view } : {}),
  loader: ({ params }) => prefetch(topologyQuery(params)),
  staticData: { crumb: { label: 'Topology' } },
  component: TopologyTab,
})

const waiting = <Skeleton className="h-80 w-full" />
// Only this page fetches the layout code.
const Picture = lazily(() => import('./Picture.tsx'), 'Picture', waiting)

function TopologyTab() {
  const target = Route.useParams()
  const isList = Route.useSearch().view === 'list'
  const [nextPoll] = useState(() => listPoller(ownNow))
  const { data, error, refetch } = useQuery({
    ...topologyQuery(target),
    throwOnError: false,
    refetchInterval: ({ state }) => nextPoll((state.data?.interfaces ?? []).map(rowOf)),
  })
  if (error && !data) {
    // The page of the VPC is there, so it is the operation that is not.
    if (error instanceof ApiError && error.status === 404)
      return <EmptyState icon={<Network />} title="No topology" body="This server does not offer it." />
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[failure(error)]} />
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  }
  if (!data) return waiting
  const nodes = nodesOf(data, target)
  const cut = cutText(data)
  const here = paths.vpcTab(target, 'topology')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-hint text-secondary">
          What instances send goes from their subnet to its routers and leaves through the gateways that they
          lead to.
        </p>
        <LinkButton href={isList ? here : `${here}?view=list`}>
          {isList ? 'Show as picture' : 'Show as list'}
        </LinkButton>
      </div>
      {cut !== undefined && <Notice>{cut}</Notice>}
      {isList ? <TopologyList nodes={nodes} /> : <Picture nodes={nodes} name={target.vpc} />}
    </div>
  )
}

const rowOf = ({
  id,
  runState,
}: {
  id: string
  runState: Parameters<ReturnType<typeof listPoller>>[0][number]['runState']
}) => ({
  id,
  runState,
})
