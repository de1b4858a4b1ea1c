import { CopyModal, CopyText } from './CopyModal.tsx'

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
      <CopyText label="Command" text={command} />
    </CopyModal>
  )
}
