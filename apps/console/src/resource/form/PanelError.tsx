import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { ApiError } from '#/api/send.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { SideModal } from '#/ui/overlay/SideModal.tsx'

/** The panel over a list that failed to load. The list stays. */
export function PanelError({
  error,
  closeTo,
  children,
}: {
  error: unknown
  closeTo: (of: Scope) => string
  /** More about something that is missing. */
  children?: ReactNode
}) {
  const navigate = useNavigate()
  const params = useParams({ strict: false })
  const close = () => void navigate({ href: closeTo(params) })
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <SideModal
      title={isMissing ? 'Page not found' : 'Something went wrong'}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      {isMissing ? (
        <>
          <p>The page you are looking for doesn't exist or you may not have access to it.</p>
          {children !== undefined && <p>{children}</p>}
        </>
      ) : (
        <FormErrorBanner issues={[failure(error)]} />
      )}
    </SideModal>
  )
}
