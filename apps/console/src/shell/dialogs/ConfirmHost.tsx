import { useRef, useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { failure } from '#/api/errors.ts'
import { sendRequest } from '#/api/request.ts'
import { making } from '#/resource/command/commands.ts'
import { ViewCommand } from '#/resource/command/ViewCommand.tsx'
import { ConfirmDialog } from '#/ui/overlay/ConfirmDialog.tsx'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { keepFailure } from '#/ui/feedback/toast.ts'
import { closeConfirm, confirmStore, type ConfirmConfig } from '#/resource/actions/confirm.ts'

/** Shows the dialog that confirmAction has opened. */
export function ConfirmHost() {
  const config = useStore(confirmStore)
  return config ? <Confirm config={config} /> : null
}

function Confirm({ config }: { config: ConfirmConfig }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ReturnType<typeof failure>>()
  const canceling = useRef(new AbortController())
  const cancel = () => {
    canceling.current.abort()
    closeConfirm()
  }
  const run = async () => {
    setPending(true)
    try {
      if (config.request) await sendRequest(config.request)
      await config.doAction(canceling.current.signal)
      if (!canceling.current.signal.aborted) closeConfirm()
    } catch (error) {
      // Said once: by the dialog, or by a toast if it was left before.
      if (canceling.current.signal.aborted) return toastFailure(config.errorTitle, error)
      const what = failure(error)
      keepFailure({ title: config.errorTitle, content: what.message, ...what })
      setProblem({ ...what, message: `${config.errorTitle}: ${what.message}` })
      setPending(false)
    }
  }
  const command = config.request ?? config.command
  return (
    <ConfirmDialog
      title={config.modalTitle}
      confirmLabel={config.confirmLabel ?? config.modalTitle}
      disabledReason={config.disabledReason}
      left={command && <ViewCommand requests={making(command)} />}
      danger={config.actionType === 'danger'}
      pending={pending}
      problem={problem}
      {...(config.typeToConfirm === undefined ? {} : { typeToConfirm: config.typeToConfirm })}
      onConfirm={() => void run()}
      onDismiss={cancel}
    >
      {config.modalContent}
    </ConfirmDialog>
  )
}
