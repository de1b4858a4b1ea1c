import { useState } from 'react'
import HardDrive from 'lucide-react/icons/hard-drive'
import { Button } from '#/ui/button/Button.tsx'
import { ConfirmDialog } from '#/ui/overlay/ConfirmDialog.tsx'
import { CopyCommandModal } from '#/ui/overlay/CopyCommandModal.tsx'
import { DirtyGuardDialog } from '#/ui/overlay/DirtyGuardDialog.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { LoadingBar } from '#/ui/feedback/LoadingBar.tsx'
import { addToast, type ToastVariant } from '#/ui/feedback/toast.ts'
import { DiskForm } from './DiskForm.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { Specimen } from './Specimen.tsx'

const toasts: { title?: string; variant: ToastVariant; requestId?: string }[] = [
  { title: 'Disk created', variant: 'success' },
  { variant: 'info' },
  { variant: 'notice' },
  { title: 'Could not delete disk', variant: 'error', requestId: 'b2f6c6a1-6d0c-4a37-b6b5-8d9a1b0e6b7e' },
]
const issue = { message: 'Disk name already exists', requestId: 'b2f6c6a1-6d0c-4a37-b6b5-8d9a1b0e6b7e' }

const ready = (
  <>
    Disk <Highlight>scratch-01</Highlight> is ready to attach.
  </>
)

type Open = 'side' | 'confirm' | 'type' | 'command' | undefined

export function Overlays() {
  const [open, setOpen] = useState<Open>()
  const [isGuarded, setGuarded] = useState(false)
  const [isLoading, setLoading] = useState<boolean>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHeader title="Overlays" />
      {isLoading !== undefined && <LoadingBar loading={isLoading} />}
      <Specimen title="Dialogs">
        <Button onClick={() => setOpen('side')}>Side modal</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('type')}>Type the name</Button>
        <Button onClick={() => setOpen('command')}>Command</Button>
        <Button onClick={() => setLoading(!isLoading)}>Loading bar</Button>
      </Specimen>
      <Specimen title="Toasts">
        {toasts.map((toast) => (
          <Button
            key={toast.variant}
            onClick={() =>
              addToast({
                ...toast,
                timeout: null,
                content: ready,
                cta: { href: '#tables', text: 'View disk' },
              })
            }
          >
            {toast.variant}
          </Button>
        ))}
      </Specimen>
      <Specimen title="Error banner" stack>
        <FormErrorBanner issues={[issue]} />
        <FormErrorBanner issues={[issue, { message: 'Size is too large for the pool' }]} />
      </Specimen>
      {open === 'side' && (
        <DiskForm resource={{ icon: HardDrive, name: 'telemetry' }} onDismiss={() => setGuarded(true)} />
      )}
      {isGuarded && (
        <DirtyGuardDialog
          onStay={() => setGuarded(false)}
          onLeave={() => {
            setGuarded(false)
            close()
          }}
        />
      )}
      {open === 'confirm' && (
        <ConfirmDialog
          title="Stop instance"
          confirmLabel="Stop instance"
          problem={{ message: 'The instance is already stopped', requestId: issue.requestId }}
          onConfirm={() => undefined}
          onDismiss={close}
        >
          Stop <Highlight>collector-01</Highlight>? What is not written to its disks is lost.
        </ConfirmDialog>
      )}
      {open === 'type' && (
        <ConfirmDialog
          title="Delete project"
          danger
          confirmLabel="Delete project"
          typeToConfirm="telemetry"
          onConfirm={close}
          onDismiss={close}
        >
          This deletes <Highlight>telemetry</Highlight> and cannot be undone.
        </ConfirmDialog>
      )}
      {open === 'command' && (
        <CopyCommandModal
          title="Connect to the serial console"
          description="Runs on your own machine."
          command="purlin instance serial console --project telemetry --instance collector-01"
          onDismiss={close}
        />
      )}
    </>
  )
}
