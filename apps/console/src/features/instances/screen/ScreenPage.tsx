import { instanceCan } from '@purlin/contract/rules/states'
import { useEffect, useRef, useState } from 'react'
import { restReason } from '#/features/instance-state/InstanceState.tsx'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { instanceQuery } from '#/features/instances/queries.ts'
import { paths } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { cx } from '#/lib/text.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { useNow } from '#/ui/value/useNow.ts'
import { BackBar } from '../serial-console/ConsoleBar.tsx'
import { ConsoleCover } from '../serial-console/ConsoleMessage.tsx'
import { NextStep, useInstanceWatch } from '../serial-console/ConsolePage.tsx'
import { PasteProgress } from '../serial-console/PasteProgress.tsx'
import { statusOf } from '../serial-console/statusOf.ts'
import { timer } from '../serial-console/useConsole.ts'
import type { DisplayHandle } from './Display.tsx'
import type { Stroke } from './layouts.ts'
import { PasteDialog } from './PasteDialog.tsx'
import { ScreenBar } from './ScreenBar.tsx'
import { TextTyper } from './TextTyper.ts'
import { useFullScreen } from './useFullScreen.ts'
import { useScreen } from './useScreen.ts'

const Display = lazily(() => import('./Display.tsx'), 'Display')

export function ScreenPage({ target }: { target: InstanceTarget }) {
  const instance = useLoaded(instanceQuery(target))
  const watchReason = useRole(target.project).lacks('collaborator')
  const isAllowed = instanceCan('serialConsole', instance.runState)
  const { session, state } = useScreen(target, isAllowed)
  useInstanceWatch(target, state.at)
  const isLive = state.at === 'open'
  const display = useRef<DisplayHandle>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [isScaled, setScaled] = useState(true)
  const [isPasting, setPasting] = useState(false)
  const { isFull, toggle } = useFullScreen()
  const [typer] = useState(() => new TextTyper(timer))
  useEffect(() => {
    if (!isLive) typer.stop()
  }, [isLive, typer])
  const { badge, message } = statusOf(
    state,
    {
      runState: instance.runState,
      noun: 'screen',
      forbiddenReason: undefined,
      restReason: restReason(instance),
    },
    useNow(state.at === 'lost'),
  )
  const isNone = state.at === 'lost' && state.isNone === true
  const next =
    isNone && !message?.mayReconnect ? (
      <LinkButton href={paths.serialConsole(target)}>Open serial console</LinkButton>
    ) : (
      <NextStep
        target={target}
        instance={instance}
        onReconnect={message?.mayReconnect ? session.reconnect : undefined}
      />
    )
  const paste = (characters: Stroke[][]) => {
    setPasting(false)
    const send = display.current?.send
    if (send) typer.type(characters, send)
  }
  const focus = () => display.current?.focus()
  return (
    <div className={cx('flex min-h-0 grow flex-col', isFull && 'fixed inset-0 z-30 bg-page')}>
      {!isFull && <BackBar target={target} title="Screen" />}
      <div className="relative min-h-0 grow bg-sunken">
        {isAllowed && (
          <Display
            ref={display}
            label={`Screen of ${instance.name}`}
            isLive={isLive}
            viewOnly={watchReason !== undefined}
            isScaled={isScaled}
            onReady={session.show}
            onType={session.type}
            onLeave={() => bar.current?.querySelector('button')?.focus()}
          />
        )}
        {message && <ConsoleCover message={message} instance={instance.runState} actions={next} />}
      </div>
      <PasteProgress session={{ pasting: typer.progress, stopPasting: typer.stop }} onStopped={focus} />
      <ScreenBar
        ref={bar}
        badge={badge}
        isLive={isLive}
        watchReason={watchReason}
        isScaled={isScaled}
        isFull={isFull}
        onKeys={(codes) => display.current?.press(codes)}
        onPaste={() => setPasting(true)}
        onScale={() => setScaled(!isScaled)}
        onFull={toggle}
      />
      {isPasting && <PasteDialog onType={paste} onDismiss={() => setPasting(false)} />}
    </div>
  )
}
