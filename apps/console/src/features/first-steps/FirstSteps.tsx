import { firstStepsUpdate, firstStepsView } from '@purlin/contract/operations/access/first-steps'
import { useQuery } from '@tanstack/react-query'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect } from 'react'
import { invalidate, query } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { hrefOf, isOver, words, type Step } from './steps.ts'

const stepsQuery = () => ({ ...query(firstStepsView, {}), throwOnError: false })
const dismissal = requestTo(firstStepsUpdate, { body: { dismissed: true } })
const firstProject = () => ({ ...query(kinds.project.list, { query: { limit: 1 } }), throwOnError: false })

/** The steps to the first running instance. Nothing once all are done, or the user has dismissed them. */
export function FirstSteps() {
  const { data } = useQuery(stepsQuery())
  const project = useQuery({ ...firstProject(), enabled: data !== undefined && !isOver(data) }).data?.items[0]
  // The server makes it, without a request from here: forms that were loaded before have none to offer.
  const hasImage = data?.steps.some(({ step, done }) => step === 'image' && done) === true
  useEffect(() => {
    if (hasImage) void reload(kinds.image)
  }, [hasImage])
  if (!data || isOver(data)) return null
  const done = data.steps.filter((one) => one.done).length
  return (
    <Card
      title="First steps"
      description={`${done} of ${data.steps.length} done`}
      actions={
        <RequestButton
          size="small"
          request={dismissal}
          done={() => undefined}
          errorTitle="Could not dismiss the first steps"
          reload={() => invalidate(firstStepsView)}
        >
          Dismiss
        </RequestButton>
      }
      flush
      className="mb-6"
    >
      <ol className="divide-y divide-line-faint">
        {data.steps.map((one) => (
          <StepRow key={one.step} of={one} project={project?.name} />
        ))}
      </ol>
    </Card>
  )
}

function StepRow({ of, project }: { of: Step; project: string | undefined }) {
  const { title, reason, request } = words[of.step]
  const href = of.done || !of.permitted ? undefined : hrefOf(of.step, project)
  const Icon = of.done ? CircleCheck : Circle
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <Icon
        size={16}
        className={`mt-0.5 shrink-0 ${of.done ? 'text-accent-text' : 'text-tertiary'}`}
        aria-label={of.done ? 'Done' : 'Not done yet'}
        role="img"
      />
      <div className="min-w-0">
        <div className="font-[550]">
          {href === undefined ? title : <TextLink href={href}>{title}</TextLink>}
        </div>
        <p className="text-secondary">
          {of.done || of.permitted ? reason : `Ask an administrator for ${request}.`}
        </p>
      </div>
    </li>
  )
}
