/** The states of a preview next to a form. */
import { failure } from '#/api/errors.ts'
import { ApiError } from '#/api/send.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'

/** Why there is no preview: a server without the operation, what is wrong with the change, or a failure. */
export function PreviewProblem({ error, retry }: { error: unknown; retry: () => void }) {
  const status = error instanceof ApiError ? error.status : undefined
  if (status === 404)
    return <p className="text-secondary">This server does not know the effect of a change.</p>
  if (status === 400) return <p className="text-secondary">{failure(error).message}</p>
  return (
    <div className="flex flex-col items-start gap-3">
      <FormErrorBanner issues={[failure(error)]} />
      <Button onClick={retry}>Try again</Button>
    </div>
  )
}

export const PreviewSkeleton = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    <Skeleton className="h-2.5 w-40" />
    <Skeleton className="h-2.5 w-56" />
  </div>
)
