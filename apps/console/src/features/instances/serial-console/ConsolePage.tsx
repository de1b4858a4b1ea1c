import { instanceView } from '@purlin/contract/operations/instances/instances'
import { instanceCan } from '@purlin/contract/rules/states'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invalidate } from '#/api/query.ts'
import { lazily } from '#/lib/lazily.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { moveAction } from '#/features/instances/actions.tsx'
import { restReason } from '#/features/instance-state/InstanceState.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useNow } from '#/ui/value/useNow.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { Button } from '#/ui/button/Button.tsx'
import { instanceQuery } from '#/features/instances/queries.ts'
import { BackBar, ConsoleBar } from './ConsoleBar.tsx'
import { ConsoleCover, ConsoleStrip } from './ConsoleMessage.tsx'
import type { ConsoleState } from './ConsoleSession.ts'
import { consoleInterval, statusOf } from './statusOf.ts'
import { PasteProgress } from './PasteProgress.tsx'
import type { TerminalHandle } from './Terminal.tsx'
import { useConsole } from './useConsole.ts'

const Terminal = lazily(() => import('./Terminal.tsx'), 'Terminal')

const reload = () => invalidate(instanceView)

/** Polls the instance while the console is not connected. */
export function useInstanceWatch(target: InstanceTarget, at: ConsoleState['at']): void {
  useQuery({
    ...instanceQuery(target),
    refetchInterval: ({ state }) => consoleInterval(at, state.data?.runState),
  })
  useEffect(() => {
    // The likeliest reason is that the instance has stopped.
    if (at === 'lost') void reload()
  }, [at])
}

/** Focuses the terminal when it opens, unless another control has the focus. */
function focusIfFree(terminal: TerminalHandle | null): void {
  const active = document.activeElement
  if (!active || active === document.body || active.matches('h1, main')) terminal?.focus()
}

const confirmPaste = (lines: number, paste: () => void) =>
  confirmAction({
    modalTitle: `Paste ${lines} lines`,
    modalContent: <p>The guest receives every line as if you had pressed Enter after it. Paste all lines?</p>,
    errorTitle: 'Could not paste',
    actionType: 'primary',
    command: null,
    doAction: async () => paste(),
  })

export function ConsolePage({ target }: { target: InstanceTarget }) {
  const instance = useLoaded(instanceQuery(target))
  const forbiddenReason = useRole(target.project).lacks('collaborator')
  const isAllowed = !forbiddenReason && instanceCan('serialConsole', instance.runState)
  const { session, state } = useConsole(target, isAllowed)
  useInstanceWatch(target, state.at)
  const terminal = useRef<TerminalHandle>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [hasSelection, setSelection] = useState(false)
  const isNeeded = useOnce(isAllowed)
  const hasShown = useOnce(state.at === 'open')
  const { badge, message } = statusOf(
    state,
    {
      runState: instance.runState,
      noun: 'serial console',
      forbiddenReason,
      restReason: restReason(instance),
    },
    useNow(state.at === 'lost'),
  )
  useEffect(() => {
    if (state.at === 'open') focusIfFree(terminal.current)
  }, [state.at])
  const actions = message && (
    <NextStep
      target={target}
      instance={instance}
      onReconnect={message.mayReconnect ? session.reconnect : undefined}
    />
  )
  const content = message && { message, instance: instance.runState, actions }
  const copy = (text: string) => void copyWithToast(text, 'Selection').then(() => terminal.current?.focus())
  return (
    <div className="flex min-h-0 grow flex-col">
      <BackBar target={target} title="Serial console" />
      {hasShown && content && <ConsoleStrip {...content} />}
      <div className="relative min-h-0 grow bg-sunken">
        <div inert={!hasShown} className="absolute inset-0">
          {isNeeded && (
            <Terminal
              ref={terminal}
              label={`Serial console of ${instance.name}`}
              isLive={state.at === 'open'}
              onReady={session.show}
              onType={session.type}
              onPasteLines={(text, lines) => confirmPaste(lines, () => terminal.current?.paste(text))}
              onSelection={setSelection}
              onCopy={copy}
              onLeave={() => bar.current?.querySelector('button')?.focus()}
            />
          )}
        </div>
        {!hasShown && content && <ConsoleCover {...content} />}
      </div>
      <PasteProgress session={session} onStopped={() => terminal.current?.focus()} />
      <ConsoleBar
        ref={bar}
        target={target}
        badge={badge}
        isShown={hasShown}
        hasSelection={hasSelection}
        onCopy={() => copy(terminal.current?.selection() ?? '')}
        onScroll={(to) =>
          to === 'top' ? terminal.current?.scrollToTop() : terminal.current?.scrollToBottom()
        }
      />
    </div>
  )
}

/** True once the flag has been true. */
function useOnce(flag: boolean): boolean {
  const [was, setWas] = useState(flag)
  if (flag && !was) setWas(true)
  return was || flag
}

interface NextStepProps {
  target: InstanceTarget
  instance: Instance
  onReconnect: (() => void) | undefined
}

/** The button for a missing connection: reconnect, or start the instance if possible. */
export function NextStep({ target, instance, onReconnect }: NextStepProps) {
  const [start] = useActions([moveAction('start', () => target.project, reload)], target).menu(instance)
  if (onReconnect) return <Button onClick={onReconnect}>Reconnect</Button>
  return start && 'onAction' in start && !start.disabledReason ? (
    <Button onClick={start.onAction}>Start</Button>
  ) : null
}
