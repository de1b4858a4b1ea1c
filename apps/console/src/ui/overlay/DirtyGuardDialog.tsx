import { Button } from '../button/Button.tsx'
import { Modal, ModalSection } from './Modal.tsx'

const words = {
  form: { stay: 'Keep editing', leave: 'Leave form' },
  page: { stay: 'Continue editing', leave: 'Leave this page' },
}

/** 'Confirm navigation': asks whether to leave a changed form in a side modal, or a changed full-page form. */
export function DirtyGuardDialog({
  of = 'form',
  onStay,
  onLeave,
}: {
  of?: 'form' | 'page'
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
        <p>Leave this form? What you have entered will be lost.</p>
      </ModalSection>
    </Modal>
  )
}
