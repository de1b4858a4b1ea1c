import { useState } from 'react'
import { errorMessage } from '../../../../../../send.ts'
import { Button } from '../../../../../../ui/Button.tsx'
import { Notice } from '../../../../../../ui/Notice.tsx'
import type { Leftover } from './calls.ts'

/** What an upload could not remove, and a way to try once more. Nothing if nothing is left. */
export function Leftovers({
  leftovers,
  onTry,
}: {
  leftovers: readonly Leftover[]
  onTry: () => Promise<void> | void
}) {
  const [pending, setPending] = useState(false)
  if (leftovers.length === 0) return null
  const tryAgain = async () => {
    setPending(true)
    await onTry()
    setPending(false)
  }
  return (
    <div role="alert">
      <Notice tone="danger" title="Something temporary is left over">
        <ul className="mt-1 list-disc pl-4">
          {leftovers.map(({ kind, name, error }) => (
            <li key={kind}>
              {kind} <span className="mono">{name}</span>: {errorMessage(error)}
            </li>
          ))}
        </ul>
        <Button size="small" className="mt-2" pending={pending} onClick={() => void tryAgain()}>
          Remove it now
        </Button>
      </Notice>
    </div>
  )
}
