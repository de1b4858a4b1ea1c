import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'
import { Button } from '../button/Button.tsx'
import { Modal, ModalSection } from './Modal.tsx'
import { useCopy } from '../button/useCopy.ts'

/** Shows a text made for copying: 'Copy command', 'Copy query'. A tick replaces the text of the button for two seconds. */
export interface CopyModalProps {
  title: string
  description?: ReactNode
  /** One word for the text: it names the button. */
  what: string
  text: string
  /** The text as it is shown. */
  children: ReactNode
  onDismiss: () => void
}

export function CopyModal({ title, description, what, text, children, onDismiss }: CopyModalProps) {
  const { state, copy } = useCopy()
  const footer = (
    <>
      <Button onClick={onDismiss}>Close</Button>
      <Button
        variant="primary"
        aria-label={state === 'copied' ? 'Copied' : undefined}
        onClick={() => void copy(text)}
      >
        <span className={state === 'copied' ? 'invisible' : undefined}>Copy {what}</span>
        {state === 'copied' && <Check size={15} className="absolute inset-0 m-auto" />}
      </Button>
    </>
  )
  return (
    <Modal title={title} width="free" onDismiss={onDismiss} footer={footer}>
      <ModalSection>
        {description && <p>{description}</p>}
        {children}
        <p role="status" className="text-hint empty:hidden">
          {state === 'failed' && `The clipboard is not available. Select the ${what} and copy it by hand.`}
        </p>
      </ModalSection>
    </Modal>
  )
}

/** A text to copy. It is selected when it gets the focus. */
export interface CopyTextProps {
  /** The name of the text, or the id of its heading. */
  label: string | { id: string }
  text: string
  className?: string
}

export const CopyText = ({ label, text, className }: CopyTextProps) => (
  <textarea
    readOnly
    {...(typeof label === 'string' ? { 'aria-label': label } : { 'aria-labelledby': label.id })}
    rows={2}
    value={text}
    spellCheck={false}
    onFocus={(event) => event.currentTarget.select()}
    className={cx(
      'control-box mono block resize-none px-3 py-2.5 leading-relaxed [field-sizing:content]',
      className,
    )}
  />
)
