import ArrowLeft from 'lucide-react/icons/arrow-left'
import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'
import { LinkButton } from '../button/LinkButton.tsx'
import { RequestId } from './RequestId.tsx'

const words = {
  'not-found': {
    title: 'Page not found',
    text: "The page you are looking for doesn't exist or you may not have access to it.",
  },
  'no-role': {
    title: 'You have no role yet',
    text: 'Without a role on the silo or a project, you cannot see its contents.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'Please try again. If the problem persists, contact your administrator.',
  },
}

/** Shown instead of a page that cannot be shown. `notice` explains a denied access; `framed` keeps it inside the
 * console's frame instead of filling the window. */
export interface ErrorScreenProps {
  kind: keyof typeof words
  notice?: ReactNode
  requestId?: string | undefined
  code?: string | undefined
  onRetry?: () => void
  backHref?: string
  onSignOut: () => void
  signingOut?: boolean
  framed?: boolean
}

export function ErrorScreen({
  kind,
  notice,
  requestId,
  code,
  onRetry,
  backHref = '/',
  onSignOut,
  signingOut = false,
  framed = false,
}: ErrorScreenProps) {
  const { title, text } = words[kind]
  // The frame already has a main landmark.
  const Main = framed ? 'div' : 'main'
  const Head = framed ? 'div' : 'header'
  return (
    <div className={`drafting-grid flex flex-col bg-page ${framed ? 'min-h-full grow' : 'min-h-screen'}`}>
      <Head className="flex items-center justify-between p-4">
        <LinkButton variant="ghost" href={backHref} className="bg-page!">
          <ArrowLeft size={14} /> Back to console
        </LinkButton>
        <Button variant="ghost" pending={signingOut} onClick={onSignOut} className="bg-page!">
          Sign out
        </Button>
      </Head>
      <Main className="grid grow place-content-center p-4 pb-24">
        <div className="w-96 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-6 text-center">
          <CircleAlert
            size={28}
            strokeWidth={1.5}
            className="mx-auto mb-3 text-danger motion-safe:animate-skeleton"
          />
          <h1 tabIndex={-1} className="text-lg font-semibold">
            {title}
          </h1>
          <p className="mt-1.5 text-secondary">{text}</p>
          {notice && (
            <div className="mt-4 rounded-md border border-line bg-sunken px-3.5 py-2.5 text-left text-secondary">
              {notice}
            </div>
          )}
          {onRetry && (
            <Button className="mt-4" onClick={onRetry}>
              Try again
            </Button>
          )}
          {requestId && <RequestId id={requestId} code={code} className="mt-4 justify-center" />}
        </div>
      </Main>
    </div>
  )
}
