import { ErrorScreen } from '#/ui/feedback/ErrorScreen.tsx'
import { SkeletonShell } from '#/ui/feedback/SkeletonShell.tsx'
import { Specimen } from './Specimen.tsx'

export function Pages() {
  return (
    <>
      <Specimen title="Error screens" stack>
        <div className="grid gap-4 wide:grid-cols-2">
          <ErrorScreen framed kind="not-found" onSignOut={() => undefined} />
          <ErrorScreen
            framed
            kind="failed"
            onSignOut={() => undefined}
            onRetry={() => undefined}
            requestId="b2f6c6a1-6d0c-4a37-b6b5-8d9a1b0e6b7e"
            notice="You are not in any groups and have no role on the silo. This usually means the identity provider is not set up correctly."
          />
        </div>
      </Specimen>
      <Specimen title="Skeleton of the console" stack>
        <div className="h-80 overflow-hidden rounded-lg border border-line">
          <SkeletonShell />
        </div>
      </Specimen>
    </>
  )
}
