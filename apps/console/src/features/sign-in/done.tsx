import { createFileRoute } from '@tanstack/react-router'
import { SignInFrame } from './SignInFrame.tsx'

// Where a sign-in ends that a page in another tab waits for.
export const Route = createFileRoute('/login/$silo/done')({ component: SignedIn })

function SignedIn() {
  const { silo } = Route.useParams()
  return (
    <SignInFrame silo={silo}>
      <p role="status">You have signed in. Close this tab and continue in the other one.</p>
    </SignInFrame>
  )
}
