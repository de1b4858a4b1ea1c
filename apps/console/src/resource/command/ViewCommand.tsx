/** 'View as command': the requests of a form or a question, as they would be sent now. */
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useState } from 'react'
import type { ShownRequest } from '#/api/request.ts'
import { errorMessage } from '#/api/errors.ts'
import { lazily } from '#/lib/lazily.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

const CommandDialog = lazily(() => import('./CommandDialog.tsx'), 'CommandDialog')

/** Makes the requests of what is filled in now; undefined as long as that is not complete, which the form shows itself. */
export type MakeRequests = () => Promise<readonly ShownRequest[] | undefined>

export function ViewCommand({ requests }: { requests: MakeRequests }) {
  const [shown, setShown] = useState<readonly ShownRequest[]>()
  const show = async () => {
    try {
      setShown(await requests())
    } catch (error) {
      addToast({ variant: 'error', title: 'Could not make the command', content: errorMessage(error) })
    }
  }
  return (
    <>
      <IconButton label="View as command" onClick={() => void show()}>
        <SquareTerminal size={15} />
      </IconButton>
      {shown && <CommandDialog requests={shown} onDismiss={() => setShown(undefined)} />}
    </>
  )
}
