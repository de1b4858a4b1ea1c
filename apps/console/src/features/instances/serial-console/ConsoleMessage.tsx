import type { InstanceState } from '@purlin/contract/rules/states'
import type { ReactNode } from 'react'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { cx } from '#/lib/text.ts'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import type { ConsoleStatus } from './statusOf.ts'

type Message = NonNullable<ConsoleStatus['message']>
export interface ConsoleMessageProps {
  message: Message
  instance: InstanceState
  /** Buttons. */
  actions?: ReactNode
}

function Title({ message, instance }: Omit<ConsoleMessageProps, 'actions'>) {
  return (
    <span className="inline-flex flex-wrap items-center gap-2 font-semibold">
      {message.busy && <Spinner className="text-secondary" />}
      <span>
        {message.title}
        {message.aboutState && (
          <>
            {' '}
            <InstanceStateBadge state={instance} />
          </>
        )}
      </span>
    </span>
  )
}

// The countdown is not announced: screen readers would read it every second.
function Text({ message }: { message: Message }) {
  if (!message.text && !message.retry) return null
  return (
    <p className="text-balance text-secondary wrap-anywhere">
      {message.text} <span aria-live="off">{message.retry}</span>
    </p>
  )
}

/** A bar above a terminal that keeps its last output. */
export function ConsoleStrip({ message, instance, actions }: ConsoleMessageProps) {
  return (
    <div className="flex min-h-15 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-raised px-5 py-2.5 max-frame:px-3">
      <div role="status" className="min-w-0 grow">
        <Title message={message} instance={instance} />
        <Text message={message} />
      </div>
      {actions}
    </div>
  )
}

const widths = ['w-2/5', 'w-3/5', 'w-1/3', 'w-1/2', 'w-1/4', 'w-2/3', 'w-2/5', 'w-1/6']

/** Covers a terminal without output: skeleton lines and a card with the message. */
export function ConsoleCover({ message, instance, actions }: ConsoleMessageProps) {
  return (
    <div className="absolute inset-0 overflow-hidden bg-sunken">
      <div aria-hidden className="flex flex-col gap-2.5 p-5">
        {Array.from({ length: 28 }, (_, i) => (
          <span
            key={i}
            className={cx(
              'h-2.5 rounded-sm bg-line-faint',
              widths[i % widths.length],
              message.busy && 'animate-skeleton',
            )}
          />
        ))}
      </div>
      <div className="absolute inset-0 grid place-content-center p-4">
        <div className="floating-box max-w-md px-6 py-5 text-center">
          <div role="status" className="flex flex-col items-center gap-1.5">
            <Title message={message} instance={instance} />
            <Text message={message} />
          </div>
          <div className="mt-4 flex justify-center gap-2 empty:hidden">{actions}</div>
        </div>
      </div>
    </div>
  )
}
