import { instanceView } from '@purlin/contract/operations/instances'
import { instanceCan } from '@purlin/contract/rules/instance'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invalidate } from '../../../../../api.ts'
import { lazily } from '../../../../../lib/lazily.tsx'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { instanceActions } from '../../../../../parts/instance/instanceActions.tsx'
import { restReason } from '../../../../../parts/instance/InstanceState.tsx'
import { useLoaded } from '../../../../../parts/instance/useLoaded.ts'
import { useNow } from '../../../../../parts/instance/useNow.ts'
import type { Instance, InstanceTarget } from '../../../../../parts/instance/update.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { instanceQuery } from '../-instances/queries.ts'
import { BackBar, ConsoleBar } from './ConsoleBar.tsx'
import { ConsoleCover, ConsoleStrip } from './ConsoleMessage.tsx'
import type { ConsoleState } from './ConsoleSession.ts'
import { consoleInterval, statusOf } from './statusOf.ts'
import type { TerminalHandle } from './Terminal.tsx'
import { useConsole } from './useConsole.ts'

const Terminal = lazily(() => import('./Terminal.tsx'), 'Terminal')

const reload = () => invalidate(instanceView)

/** Looks after the instance while the console does not tell how it is. */
function useInstanceWatch(target: InstanceTarget, at: ConsoleState['at']): void {
  useQuery({
    ...instanceQuery(target),
    refetchInterval: ({ state }) => consoleInterval(at, state.data?.runState),
  })
  useEffect(() => {
    // The likeliest reason for a loss is that the machine has stopped.
    if (at === 'lost') void reload()
  }, [at])
}

/** Gives the keyboard to the terminal when it opens, unless the person is busy with something else. */
function focusIfFree(terminal: TerminalHandle | null): void {
  const active = document.activeElement
  if (!active || active === document.body || active.matches('h1, main')) terminal?.focus()
}

const confirmPaste = (lines: number, paste: () => void) =>
  confirmAction({
    modalTitle: `Paste ${lines} lines`,
    modalContent: <p>The guest takes every line as if you had pressed Enter after it. Paste all of them?</p>,
    errorTitle: 'Could not paste',
    actionType: 'primary',
    doAction: async () => paste(),
  })

export function ConsolePage({ target }: { target: InstanceTarget }) {
  const instance = useLoaded(instanceQuery(target))
  const refused = useProjectRole(target.project).lacks('collaborator')
  const isAllowed = !refused && instanceCan('serialConsole', instance.runState)
  const { session, state } = useConsole(target, isAllowed)
  useInstanceWatch(target, state.at)
  const terminal = useRef<TerminalHandle>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [hasSelection, setSelection] = useState(false)
  const isNeeded = useOnce(isAllowed)
  const hasShown = useOnce(state.at === 'open')
  const { badge, message } = statusOf(
    state,
    { runState: instance.runState, refused, restReason: restReason(instance) },
    useNow(state.at === 'lost'),
  )
  useEffect(() => {
    if (state.at === 'open') focusIfFree(terminal.current)
  }, [state.at])
  const actions = message && (
    <NextStep
      target={target}
      instance={instance}
      refused={refused}
      onReconnect={message.mayReconnect ? session.reconnect : undefined}
    />
  )
  const said = message && { message, instance: instance.runState, actions }
  const copy = (text: string) => void copyWithToast(text, 'Selection').then(() => terminal.current?.focus())
  return (
    <div className="flex min-h-0 grow flex-col">
      <BackBar target={target} />
      {hasShown && said && <ConsoleStrip {...said} />}
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
        {!hasShown && said && <ConsoleCover {...said} />}
      </div>
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

/** True from the first time on that the flag was true. */
function useOnce(flag: boolean): boolean {
  const [was, setWas] = useState(flag)
  if (flag && !was) setWas(true)
  return was || flag
}

interface NextStepProps {
  target: InstanceTarget
  instance: Instance
  refused: string | undefined
  onReconnect: (() => void) | undefined
}

/** The way out of having no connection, as far as there is one. */
function NextStep({ target: { project }, instance, refused, onReconnect }: NextStepProps) {
  if (onReconnect) return <Button onClick={onReconnect}>Reconnect</Button>
  const nothing = () => undefined
  const of = { project, refused, changed: reload, deleted: nothing, resize: nothing }
  const { start } = instanceActions(instance, of)
  return start.disabledReason ? null : <Button onClick={start.onAction}>Start</Button>
}
