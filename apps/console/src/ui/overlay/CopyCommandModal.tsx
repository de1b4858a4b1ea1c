import { CopyModal } from './CopyModal.tsx'

/** Shows a command line and copies it with 'Copy command'. */
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
  return (
    <CopyModal title={title} description={description} what="command" text={command} onDismiss={onDismiss}>
      <textarea
        readOnly
        aria-label="Command"
        rows={2}
        value={command}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        className="control-box mono block resize-none px-3 py-2.5 leading-relaxed [field-sizing:content]"
      />
    </CopyModal>
  )
}
