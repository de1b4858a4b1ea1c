import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useApi } from '#/api/query.ts'
import { failure } from '#/api/errors.ts'
import { sessionEnds } from '#/api/session.ts'
import { formatTime } from '#/lib/format.ts'
import { useStore } from '#/lib/store.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FormRefusal } from '#/ui/form/FormRefusal.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { useSignOut } from '../useSignOut.ts'

/** Says that the session is about to end, and can keep it. */
export function IdleDialog() {
  const end = useStore(sessionEnds)
  const signOut = useSignOut()
  const stay = useApi(currentUserView, { success: () => sessionEnds.set(undefined) })
  const keep = () => stay.mutate({ query: {} })
  if (end === undefined) return null
  const footer = (
    <>
      <Button onClick={signOut.run} pending={signOut.pending}>
        Sign out
      </Button>
      <Button variant="primary" onClick={keep} pending={stay.isPending}>
        Stay signed in
      </Button>
    </>
  )
  return (
    <Modal
      title="You will be signed out soon"
      role="alertdialog"
      onDismiss={keep}
      refusal={<FormRefusal problem={stay.error ? failure(stay.error) : undefined} />}
      footer={footer}
    >
      <ModalSection>
        <p>
          You have not used the console for a long time. Your session ends at {formatTime(new Date(end))}{' '}
          unless you stay signed in.
        </p>
      </ModalSection>
    </Modal>
  )
}
