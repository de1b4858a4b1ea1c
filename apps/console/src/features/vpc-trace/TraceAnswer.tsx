import LinkIcon from 'lucide-react/icons/link'
import RouteIcon from 'lucide-react/icons/route'
import { failure, missing } from '#/api/errors.ts'
import { ApiError } from '#/api/send.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { TracePath } from '#/features/packet-path/TracePath.tsx'
import type { Trace } from '#/features/packet-path/places.ts'

interface TraceAnswerProps {
  vpc: VpcTarget
  /** Whether the address holds a whole question. */
  isComplete: boolean
  from: string
  to: string
  trace: Trace | undefined
  error: Error | null
  retry: () => void
}

/** The path of the packet, or why it is unknown. */
export function TraceAnswer({ vpc, isComplete, from, to, trace, error, retry }: TraceAnswerProps) {
  if (!isComplete)
    return (
      <EmptyState
        icon={<RouteIcon />}
        title="No packet traced yet"
        body="Pick both ends to see which rules and routes a packet meets, and where it is dropped."
      />
    )
  if (error)
    return (
      <div className="flex flex-col items-start gap-3">
        <FormErrorBanner issues={[issueOf(error)]} className="w-full" />
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  if (!trace) return <PathSkeleton />
  const isPassed = trace.result === 'pass'
  return (
    <Card
      flush
      title={
        <span role="status" className="flex flex-wrap items-center gap-2.5">
          <Badge dot tone={isPassed ? 'ok' : 'danger'}>
            {isPassed ? 'Passes' : 'Dropped'}
          </Badge>
          <span className="min-w-0 font-medium wrap-anywhere">{trace.text}</span>
        </span>
      }
      actions={
        <Button
          size="small"
          icon={<LinkIcon size={13} aria-hidden />}
          onClick={() => void copyWithToast(window.location.href, 'Link')}
        >
          Copy link
        </Button>
      }
    >
      <TracePath trace={trace} vpc={vpc} from={from} to={to} />
    </Card>
  )
}

/** Resources that may have been deleted are named; a server without this operation does not name them. */
function issueOf(error: Error): ReturnType<typeof failure> {
  const issue = failure(error)
  if (!(error instanceof ApiError) || error.status !== 404) return issue
  const gone = missing(error)
  return {
    ...issue,
    message: gone
      ? `${issue.message}. It may have been deleted: pick another end.`
      : 'This server cannot trace packets.',
  }
}

const PathSkeleton = () => (
  <div aria-busy="true" className="rounded-lg border border-line bg-raised p-4">
    {['w-40', 'w-64', 'w-56', 'w-48'].map((width) => (
      <div key={width} className="flex items-center gap-3 pb-5 last:pb-0">
        <Skeleton className="size-6 rounded-full" />
        <Skeleton className={`h-2.5 ${width}`} />
      </div>
    ))}
  </div>
)
