import { Button } from '../button/Button.tsx'
import { Modal, ModalSection } from './Modal.tsx'

const words = {
  form: { stay: 'Keep editing', leave: 'Leave form' },
  page: { stay: 'Continue editing', leave: 'Leave this page' },
}

/** 'Confirm navigation': asks whether to leave a changed form in a side modal, or a changed full-page form. */
export function DirtyGuardDialog({
  of = 'form',
  isKept = false,
  onStay,
  onLeave,
}: {
  of?: 'form' | 'page'
  /** Whether a draft of the form is kept. */
  isKept?: boolean
  onStay: () => void
  onLeave: () => void
}) {
  const footer = (
    <>
      <Button onClick={onStay}>{words[of].stay}</Button>
      <Button variant="danger" onClick={onLeave}>
        {words[of].leave}
      </Button>
    </>
  )
  return (
    <Modal title="Confirm navigation" width="narrow" role="alertdialog" onDismiss={onStay} footer={footer}>
      <ModalSection>
        <p>
          Leave this form?{' '}
          {isKept
            ? 'A draft stays in this browser until you sign out, without files and secrets.'
            : 'What you have entered will be lost.'}
        </p>
      </ModalSection>
    </Modal>
  )
}
