import { errorMessage } from '#/api/errors.ts'
import { EffectiveRoleTable } from '#/features/access/roles/EffectiveRoles.tsx'
import { pathRows } from '#/features/access/roles/roleRows.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { keyWords, neededWords, withoutRoleWords, type Explanation, type Operation } from './answers.ts'

interface DecisionProps {
  about: Operation | undefined
  answer: Explanation | undefined
  error: unknown
}

/** Whether someone may do it, and each way that alone suffices. */
export function Decision({ about, answer, error }: DecisionProps) {
  if (error && !answer) return <Notice tone="danger">{errorMessage(error)}</Notice>
  if (!answer) return <Skeleton className="h-12 w-full" />
  const { displayName, allowed, withoutRole, isComplete } = answer
  const summary = about ? `${about.summary.charAt(0).toLowerCase()}${about.summary.slice(1)}` : 'do this'
  const rows = pathRows(answer)
  const is = allowed === true
  const notByKeys = keyWords(answer)
  return (
    <section aria-label="Answer" className="flex flex-col gap-3">
      <Notice title={`${is ? 'Yes' : 'No'}: ${displayName} ${is ? 'can' : 'cannot'} ${summary}`}>
        {withoutRole
          ? withoutRoleWords[withoutRole]
          : is
            ? 'Each of these roles alone suffices.'
            : about && `It takes ${neededWords(about)}.`}
      </Notice>
      {is && notByKeys.length > 0 && (
        <ul className="flex flex-col gap-1">
          {notByKeys.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {rows.length > 0 && <EffectiveRoleTable rows={rows} />}
      {!isComplete && (
        <p className="text-hint text-secondary">
          There may be more: roles count here only from policies that you may read.
        </p>
      )}
    </section>
  )
}
