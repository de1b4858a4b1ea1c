/** 'View as command': the requests of a form or a question, as they would be sent now. */
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { useState } from 'react'
import type { ShownRequest } from '#/api/request.ts'
import { lazily } from '#/lib/lazily.tsx'
import { IconButton, type IconButtonProps } from '#/ui/button/IconButton.tsx'
import { requestsBy, type MakeRequests } from './commands.ts'

const CommandDialog = lazily(() => import('./CommandDialog.tsx'), 'CommandDialog')

interface Props extends Pick<IconButtonProps, 'size'> {
  requests: MakeRequests
  /** The button whose requests these are, where several are next to each other. */
  of?: string
}

export function ViewCommand({ requests, of, ...button }: Props) {
  const [shown, setShown] = useState<readonly ShownRequest[]>()
  const label = of === undefined ? 'View as command' : `View as command: ${of}`
  return (
    <>
      <IconButton {...button} label={label} onClick={() => void requestsBy(requests).then(setShown)}>
        <SquareTerminal size={15} />
      </IconButton>
      {shown && <CommandDialog requests={shown} onDismiss={() => setShown(undefined)} />}
    </>
  )
}
