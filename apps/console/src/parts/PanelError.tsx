import { useNavigate } from '@tanstack/react-router'
import { ApiError, failure } from '../send.ts'
import { Button } from '../ui/Button.tsx'
import { FormErrorBanner } from '../ui/FormErrorBanner.tsx'
import { SideModal } from '../ui/SideModal.tsx'

/** What stands in place of a panel over a list that could not be opened; the list stays. Closing leads to `href`. */
export function PanelError({ error, href }: { error: unknown; href: string }) {
  const navigate = useNavigate()
  const close = () => void navigate({ href })
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <SideModal
      title={isMissing ? 'Page not found' : 'Something went wrong'}
      onDismiss={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      {isMissing ? (
        <p>The page you are looking for doesn't exist or you may not have access to it.</p>
      ) : (
        <FormErrorBanner issues={[failure(error)]} />
      )}
    </SideModal>
  )
}
