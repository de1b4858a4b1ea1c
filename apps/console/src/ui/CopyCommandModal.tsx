import Check from 'lucide-react/icons/check'
import { Button } from './Button.tsx'
import { Modal, ModalSection } from './Modal.tsx'
import { useCopy } from './useCopy.ts'

/** Shows a command line and copies it with 'Copy command'; a tick takes the text's place for two seconds. */
export function CopyCommandModal({
  title,
  description,
  command,
  onDismiss,
}: {
  title: string
  description?: string
  command: string
  onDismiss: () => void
}) {
  const { state, copy } = useCopy()
  const footer = (
    <>
      <Button onClick={onDismiss}>Close</Button>
      <Button
        variant="primary"
        aria-label={state === 'copied' ? 'Copied' : undefined}
        onClick={() => void copy(command)}
      >
        <span className={state === 'copied' ? 'invisible' : undefined}>Copy command</span>
        {state === 'copied' && <Check size={15} className="absolute inset-0 m-auto" />}
      </Button>
    </>
  )
  return (
    <Modal title={title} width="free" onDismiss={onDismiss} footer={footer}>
      <ModalSection>
        {description && <p>{description}</p>}
        <textarea
          readOnly
          aria-label="Command"
          rows={2}
          value={command}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          className="control-box mono block resize-none px-3 py-2.5 leading-relaxed [field-sizing:content]"
        />
        <p role="status" className="text-hint empty:hidden">
          {state === 'failed' && 'The clipboard is not available. Select the command and copy it by hand.'}
        </p>
      </ModalSection>
    </Modal>
  )
}
