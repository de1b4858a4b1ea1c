import { Button } from '#/ui/button/Button.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

/** Asks whether to cancel an upload. */
export function CancelDialog({ onStay, onCancel }: { onStay: () => void; onCancel: () => void }) {
  const footer = (
    <>
      <Button onClick={onStay}>Keep uploading</Button>
      <Button variant="danger" onClick={onCancel}>
        Cancel upload
      </Button>
    </>
  )
  return (
    <Modal title="Cancel upload?" width="narrow" role="alertdialog" onDismiss={onStay} footer={footer}>
      <ModalSection>
        <p>Everything uploaded so far is deleted. The form keeps its values.</p>
      </ModalSection>
    </Modal>
  )
}
