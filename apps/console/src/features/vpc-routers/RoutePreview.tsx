import { useQuery } from '@tanstack/react-query'
import { useWatch, type Control } from 'react-hook-form'
import type { Preview } from '#/features/network-losses/losses.tsx'
import { PreviewProblem, PreviewSkeleton } from '#/features/network-losses/PreviewStates.tsx'
import { TypedPreview } from '#/features/network-losses/TypedPreview.tsx'
import { TracePath } from '#/features/packet-path/TracePath.tsx'
import type { VpcTarget } from '#/lib/addresses.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { missingIn, wayOf, type RouteValues } from './routeValues.ts'

interface RoutePreviewProps {
  control: Control<RouteValues>
  scope: VpcTarget & { router: string }
  /** Of the route that is edited. */
  id?: string
}

/** The path of a packet by a route as it stands in its form. */
export function RoutePreview({ control, scope, id }: RoutePreviewProps) {
  const values = useWatch({ control }) as RouteValues
  const router = useQuery({ ...viewQuery(kinds.vpcRouter, scope.router, scope), throwOnError: false })
  const missing = missingIn(values)
  if (missing.length > 0)
    return (
      <>
        <p className="text-secondary">To see the path of a packet:</p>
        <ul className="mt-1 list-disc pl-5">
          {missing.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </>
    )
  if (router.error) return <PreviewProblem error={router.error} retry={() => void router.refetch()} />
  if (!router.data) return <PreviewSkeleton />
  return <Path scope={scope} way={wayOf(values)} of={{ routerId: router.data.id, ...(id ? { id } : {}) }} />
}

interface PathProps {
  scope: VpcTarget
  way: ReturnType<typeof wayOf>
  of: { routerId: string; id?: string }
}

const Path = ({ scope, way, of }: PathProps) => (
  <TypedPreview vpc={scope} body={{ change: { type: 'set_route', name: 'this-route', ...of, ...way } }}>
    {(preview) => <PathOf preview={preview} vpc={scope} />}
  </TypedPreview>
)

function PathOf({ preview: { path, effects }, vpc }: { preview: Preview; vpc: VpcTarget }) {
  if (!path)
    return (
      <p role="status" className="text-secondary">
        No instance with this IP version is in a subnet that uses the router, so no packet takes the route.
      </p>
    )
  const { trace, name, destination, totalInstances, routeId } = path
  const isPassed = trace.result === 'pass'
  const effect = effects.routes.find((one) => one.routeId === routeId)
  const others = totalInstances - 1
  return (
    <>
      <p role="status" className="wrap-anywhere">
        <Badge dot tone={isPassed ? 'ok' : 'danger'}>
          {isPassed ? 'Passes' : 'Dropped'}
        </Badge>{' '}
        {trace.text}
      </p>
      {effect && <p className="mt-2 text-secondary">{effect.text}</p>}
      <TracePath trace={trace} vpc={vpc} from={name} to={destination} typed={routeId} className="px-0" />
      <p className="text-secondary">
        HTTPS, as if all instances were running.
        {others > 0 && ` ${others.toLocaleString()} more can send by this router.`}
      </p>
    </>
  )
}
