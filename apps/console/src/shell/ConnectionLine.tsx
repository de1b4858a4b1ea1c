import CloudOff from 'lucide-react/icons/cloud-off'
import { useSyncExternalStore } from 'react'
import { connection } from '#/api/connection.ts'

/** True while the server cannot be reached, so that what is shown may be out of date. */
export const useIsLost = (): boolean =>
  useSyncExternalStore(connection.subscribe, () => connection.get() === 'lost')

/** Says so, above everything. */
export function ConnectionLine() {
  const isLost = useIsLost()
  return (
    <div role="status">
      {isLost && (
        <div className="flex min-h-10 items-center justify-center gap-3 border-b border-line bg-raised px-4 py-2 text-secondary">
          <CloudOff size={16} aria-hidden className="shrink-0" />
          <span>The server does not answer. What is shown may be out of date.</span>
          <button
            type="button"
            className="font-medium underline underline-offset-2"
            onClick={() => connection.retry()}
          >
            Try again
          </button>
        </div>
      )}
    </div>
  )
}
