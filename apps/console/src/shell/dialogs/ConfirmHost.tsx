import { useRef, useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { failure } from '#/api/errors.ts'
import { sendRequest } from '#/api/request.ts'
import { making } from '#/resource/command/commands.ts'
import { ViewCommand } from '#/resource/command/ViewCommand.tsx'
import { ConfirmDialog } from '#/ui/overlay/ConfirmDialog.tsx'
import { toastFailure } from '#/resource/actions/toasts.tsx'
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
      const what = failure(error)
      setProblem({ ...what, message: `${config.errorTitle}: ${what.message}` })
      toastFailure(config.errorTitle, error)
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
      issues={problem ? [problem] : []}
      {...(config.typeToConfirm === undefined ? {} : { typeToConfirm: config.typeToConfirm })}
      onConfirm={() => void run()}
      onDismiss={cancel}
    >
      {config.modalContent}
    </ConfirmDialog>
  )
}
