import { useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Leftover } from './transfer/calls.ts'

/** The temporary resources that an upload could not delete, and a button to try again. */
export function Leftovers({
  leftovers,
  onRetry,
}: {
  leftovers: readonly Leftover[]
  onRetry: () => Promise<void> | void
}) {
  const [pending, setPending] = useState(false)
  if (leftovers.length === 0) return null
  const retry = async () => {
    setPending(true)
    await onRetry()
    setPending(false)
  }
  return (
    <div role="alert">
      <Notice tone="danger" title="Could not delete temporary resources">
        <ul className="mt-1 list-disc pl-4">
          {leftovers.map(({ kind, name, error }) => (
            <li key={kind}>
              {kind} <span className="mono">{name}</span>: {errorMessage(error)}
            </li>
          ))}
        </ul>
        <Button size="small" className="mt-2" pending={pending} onClick={() => void retry()}>
          Try again to delete
        </Button>
      </Notice>
    </div>
  )
}
