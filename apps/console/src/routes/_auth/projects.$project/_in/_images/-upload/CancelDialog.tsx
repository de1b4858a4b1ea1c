import { Button } from '../../../../../../ui/Button.tsx'
import { Modal, ModalSection } from '../../../../../../ui/Modal.tsx'

/** Asks whether to give an upload up. */
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
        <p>What has been uploaded so far is removed. The form stays as it is.</p>
      </ModalSection>
    </Modal>
  )
}
