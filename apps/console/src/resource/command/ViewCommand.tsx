/** 'View as command': the request of a form or a question, as it would be sent now. */
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useState } from 'react'
import type { ApiRequest } from '#/api/request.ts'
import { errorMessage } from '#/api/errors.ts'
import { lazily } from '#/lib/lazily.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

const CommandDialog = lazily(() => import('./CommandDialog.tsx'), 'CommandDialog')

/** Makes the request of what is filled in now; undefined as long as that is not complete, which the form shows itself. */
export type MakeRequest = () => Promise<ApiRequest | undefined>

export function ViewCommand({ request }: { request: MakeRequest }) {
  const [shown, setShown] = useState<ApiRequest>()
  const show = async () => {
    try {
      setShown(await request())
    } catch (error) {
      addToast({ variant: 'error', title: 'Could not make the command', content: errorMessage(error) })
    }
  }
  return (
    <>
      <IconButton label="View as command" onClick={() => void show()}>
        <SquareTerminal size={15} />
      </IconButton>
      {shown && <CommandDialog request={shown} onDismiss={() => setShown(undefined)} />}
    </>
  )
}
