import { vpcTrace } from '@purlin/contract/operations/vpcs/vpc-trace'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, prefetch } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'
import { TraceAnswer } from './TraceAnswer.tsx'
import { TraceForm } from './TraceForm.tsx'
import { firstReads, traceQuery, useEnds } from './queries.ts'
import { questionOf, searchOf, valuesOf, type TraceValues } from './question.ts'
import { traceSearch } from './search.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_vpc-pages/vpcs/$vpc/_page/trace')({
  validateSearch: traceSearch,
  loader: ({ params }) => prefetch(...firstReads(params)),
  staticData: { crumb: { label: 'Trace' } },
  component: TraceTab,
})

/** Stands for a question that is not complete; it is never asked. */
const nothing = {
  source: { type: 'ip', value: '' },
  destination: { type: 'ip', value: '' },
  protocol: { type: 'other' },
} as const

/** The path of a packet between two ends, with the reasons. The address has the question. */
function TraceTab() {
  const vpc: VpcTarget = Route.useParams()
  const search = Route.useSearch()
  const navigate = useNavigate()
  const ends = useEnds(vpc)
  const form = useForm<TraceValues>({ values: valuesOf(search) })
  const question = questionOf(search)
  const answer = useQuery({
    ...traceQuery(vpc, question ?? nothing),
    enabled: question !== undefined,
    throwOnError: false,
    // A user who comes back has changed something: an older answer would mislead.
    staleTime: 0,
    gcTime: 0,
  })
  const trace = (values: TraceValues) => {
    const next = searchOf(values)
    // The same question again: rules may have changed.
    if (JSON.stringify(next) === JSON.stringify(search)) void invalidate(vpcTrace)
    else void navigate({ to: '.', search: next, resetScroll: false })
  }
  const nameOf = (end = '') => ends.choices.find(({ value }) => value === end)?.label ?? end
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 frame:grid-cols-[17rem_minmax(0,1fr)] roomy:grid-cols-[20rem_minmax(0,1fr)]">
      <TraceForm form={form} ends={ends} isTracing={answer.isFetching} onTrace={trace} />
      <TraceAnswer
        vpc={vpc}
        isComplete={question !== undefined}
        from={nameOf(search.from)}
        to={nameOf(search.to)}
        trace={answer.data}
        error={answer.error}
        retry={() => void answer.refetch()}
      />
    </div>
  )
}
