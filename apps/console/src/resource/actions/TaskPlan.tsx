import type { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import type { Result } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'

export type TaskPreview = Result<typeof taskPreview>
type Skipped = TaskPreview['skipped']

const { named } = limits.task

export const leftIn = ({ skipped }: Pick<TaskPreview, 'skipped'>): number =>
  skipped.reduce((sum, { count }) => sum + count, 0)

/** The items that a task would act on, and those it would skip, with the reasons. */
export function TaskPlan({ totalItems, skipped, names }: TaskPreview) {
  const left = leftIn({ skipped })
  const done = totalItems - left
  return (
    <>
      {names.length > 0 && <p className="wrap-anywhere text-ink">{someOf(names, done)}</p>}
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

/** 'web-1, web-2 and 8 more': the first names, and the number of the others. */
export function someOf(names: readonly string[], all: number): string {
  const first = names.slice(0, named)
  const others = all - first.length
  return others > 0 ? `${first.join(', ')} and ${others.toLocaleString()} more` : first.join(', ')
}

/** Why some are left as they are, and which. */
export const SkippedReasons = ({ skipped }: { skipped: Skipped }) => (
  <ul aria-label="Reasons" className="list-disc pl-5">
    {skipped.map(({ message, count, names = [] }) => (
      <li key={message} className="wrap-anywhere">
        {count.toLocaleString()} {message}
        {names.length > 0 && `: ${someOf(names, count)}`}
      </li>
    ))}
  </ul>
)
