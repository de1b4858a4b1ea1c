import type { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import type { Result } from '@purlin/contract/op'

export type TaskPreview = Result<typeof taskPreview>
type Skipped = TaskPreview['skipped']

const named = 5

export const leftIn = ({ skipped }: Pick<TaskPreview, 'skipped'>): number =>
  skipped.reduce((sum, { count }) => sum + count, 0)

/** The items that a task would act on, and those it would skip, with the reasons. */
export function TaskPlan({ totalItems, skipped, names }: TaskPreview) {
  const left = leftIn({ skipped })
  const done = totalItems - left
  return (
    <>
      {names.length > 0 && (
        <p className="wrap-anywhere text-ink">
          {names.slice(0, named).join(', ')}
          {done > named && ` and ${(done - named).toLocaleString()} more`}
        </p>
      )}
      {left > 0 && (
        <>
          <p>
            {left.toLocaleString()} of {totalItems.toLocaleString()} will be left as{' '}
            {left === 1 ? 'it is' : 'they are'}:
          </p>
          <SkippedReasons skipped={skipped} />
        </>
      )}
    </>
  )
}

/** Why some are left as they are. */
export const SkippedReasons = ({ skipped }: { skipped: Skipped }) => (
  <ul aria-label="Reasons" className="list-disc pl-5">
    {skipped.map(({ message, count }) => (
      <li key={message}>
        {count.toLocaleString()} {message}
      </li>
    ))}
  </ul>
)
