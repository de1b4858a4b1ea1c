import { useQuery } from '@tanstack/react-query'
import type { Instance } from '#/features/instance-state/update.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { useSeen } from '#/ui/layout/useSeen.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { useOf, type Use, type UseOf } from './batches.ts'
import { lineOf, wordsOf } from './line.ts'

interface UseLineProps {
  project: string
  instance: Pick<Instance, 'id' | 'ncpus' | 'memory' | 'runState'>
  of?: UseOf
}

// As often as a small line changes by a pixel; as often as there are samples, until the first.
const [everyMs, untilFirstMs] = [60_000, 10_000]
const intervalOf = (use: Use | undefined) => (use?.values.length === 0 ? untilFirstMs : everyMs)

/** The use of CPU or memory of a running instance over the last hour. It is read while it is in view, together with its neighbours. */
export function UseLine({ project, instance: { id, ncpus, memory, runState }, of = 'CPU' }: UseLineProps) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>({ isFollowed: true })
  const isRunning = runState === 'running'
  const { data, error } = useQuery({
    queryKey: ['instance use', of, project, id, ncpus, memory],
    queryFn: () => useOf[of]({ project, id, ncpus, memory }),
    enabled: isSeen && isRunning,
    staleTime: ({ state }) => intervalOf(state.data),
    refetchInterval: ({ state }) => intervalOf(state.data),
    throwOnError: false,
  })
  return (
    <span ref={ref} className="inline-flex h-5 items-center gap-2 align-middle">
      {isRunning ? <Content of={of} use={data} isFailed={error !== null} /> : <Dash />}
    </span>
  )
}

function Content({ of, use, isFailed }: { of: UseOf; use: Use | undefined; isFailed: boolean }) {
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
      <span className="sr-only">{wordsOf(of, use.values)}</span>
    </>
  )
}

const line = { width: 72, height: 18 }
