import type { OpShape } from '@purlin/contract/op'
import { useState } from 'react'
import type { ApiRequest } from '#/api/request.ts'
import { sendNow, type Outcome } from '#/resource/actions/sendNow.ts'
import { Button, type ButtonProps } from '#/ui/button/Button.tsx'
import { making } from './commands.ts'
import { ViewCommand } from './ViewCommand.tsx'

interface Props<O extends OpShape> extends Omit<ButtonProps, 'onClick' | 'pending' | 'ref'>, Outcome<O> {
  request: ApiRequest<O>
  /** The name of what it acts on, where several such buttons are next to each other. */
  of?: string
}

/** A button that sends a request at once, and shows the same as a command. */
export function RequestButton<O extends OpShape>({
  request,
  of,
  done,
  errorTitle,
  reload,
  size,
  ...button
}: Props<O>) {
  const [isPending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    await sendNow(request, { done, errorTitle, reload })
    setPending(false)
  }
  const sized = size ? { size } : {}
  return (
    <span className="inline-flex items-center gap-1">
      <Button {...button} {...sized} pending={isPending} onClick={() => void run()} />
      <ViewCommand {...sized} {...(of === undefined ? {} : { of })} requests={making(request)} />
    </span>
  )
}
