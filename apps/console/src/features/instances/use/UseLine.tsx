import { useQuery } from '@tanstack/react-query'
import type { Instance } from '#/features/instance-state/update.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { useSeen } from '#/ui/layout/useSeen.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { cpuUseOf, type Use } from './batches.ts'
import { lineOf, wordsOf } from './line.ts'

interface UseLineProps {
  project: string
  instance: Pick<Instance, 'id' | 'ncpus' | 'runState'>
}

// As often as a small line changes by a pixel.
const everyMs = 60_000

/** The CPU use of a running instance over the last hour. It is read while it is in view, together with its neighbours. */
export function UseLine({ project, instance: { id, ncpus, runState } }: UseLineProps) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>({ isFollowed: true })
  const isRunning = runState === 'running'
  const { data, error } = useQuery({
    queryKey: ['instance use', project, id, ncpus],
    queryFn: () => cpuUseOf({ project, id, ncpus }),
    enabled: isSeen && isRunning,
    staleTime: everyMs,
    refetchInterval: everyMs,
    throwOnError: false,
  })
  return (
    <span ref={ref} className="inline-flex h-5 items-center gap-2 align-middle">
      {isRunning ? <Content use={data} isFailed={error !== null} /> : <Dash />}
    </span>
  )
}

function Content({ use, isFailed }: { use: Use | undefined; isFailed: boolean }) {
  if (isFailed && !use) return <span className="text-hint text-secondary">Could not load</span>
  if (!use) return <Skeleton className="h-2.5 w-24" />
  const now = use.values.at(-1)
  if (now === undefined) return <span className="text-hint text-secondary">No samples yet</span>
  return (
    <>
      <svg aria-hidden width={line.width} height={line.height} className="shrink-0 overflow-visible">
        <path d={`M0 ${line.height - 0.5}H${line.width}`} stroke="var(--line)" />
        <polyline
          points={lineOf(use, line)}
          fill="none"
          stroke="var(--series-1)"
          strokeWidth={1.5}
          strokeLinejoin="round"
        />
      </svg>
      <span aria-hidden className="mono min-w-9 text-right">
        {Math.round(now)}%
      </span>
      <span className="sr-only">{wordsOf(use.values)}</span>
    </>
  )
}

const line = { width: 72, height: 18 }
