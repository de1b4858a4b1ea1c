import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import { type ReactNode, useId, useRef, useState } from 'react'
import {
  autoRestartStatus,
  policyOf,
  policyWords,
  type AutoRestartStatus,
} from '../../../../../parts/instance/autoRestart.ts'
import type { Instance, InstanceTarget } from '../../../../../parts/instance/update.ts'
import { useNow } from '../../../../../parts/instance/useNow.ts'
import { guides, paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/Badge.tsx'
import { IconButton } from '../../../../../ui/IconButton.tsx'
import { ExternalLink, UiLink } from '../../../../../ui/link.tsx'
import { Spinner } from '../../../../../ui/Spinner.tsx'
import { useDismiss } from '../../../../../ui/useDismiss.ts'
import { useFloating } from '../../../../../ui/useFloating.ts'

const outlook: Record<AutoRestartStatus['at'], string> = {
  off: 'This instance stays failed until somebody starts it.',
  soon: 'The control plane will start this instance again soon.',
  waiting: 'The control plane will start this instance again once the cooldown is over.',
}

/** Beside the state of a failed instance: whether, and when, it will be started again by itself. */
export function AutoRestartPopover({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const box = useFloating<HTMLDivElement>({ isOpen, anchor: button, placement: 'bottom-start', gap: 6 })
  useDismiss(isOpen, [button, box], (by) => {
    setOpen(false)
    if (by === 'escape') button.current?.querySelector('button')?.focus({ preventScroll: true })
  })
  return (
    <span ref={button} className="inline-flex">
      <IconButton
        label="Auto-restart status"
        size="small"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(!isOpen)}
      >
        <CircleQuestionMark size={15} aria-hidden />
      </IconButton>
      {isOpen && (
        <div
          ref={box}
          popover="manual"
          role="dialog"
          aria-labelledby={id}
          className="floating-box w-80 max-w-[calc(100vw-2rem)] animate-appear"
        >
          <h2 id={id} className="sr-only">
            Auto-restart status
          </h2>
          <Rows target={target} instance={instance} onLeave={() => setOpen(false)} />
        </div>
      )}
    </span>
  )
}

function Rows({
  target,
  instance,
  onLeave,
}: {
  target: InstanceTarget
  instance: Instance
  onLeave: () => void
}) {
  const status = autoRestartStatus(instance, useNow(true))
  const hasCooldown = instance.autoRestartEnabled && Boolean(instance.autoRestartCooldownExpiration)
  return (
    <>
      <dl>
        <Row label="Auto Restart">
          <Badge tone={instance.autoRestartEnabled ? 'accent' : 'neutral'}>
            {instance.autoRestartEnabled ? 'Enabled' : 'Disabled'}
          </Badge>
        </Row>
        <Row label="Policy">
          <UiLink href={paths.instanceTab(target, 'settings')} onClick={onLeave} className="rounded-sm">
            <Badge className="underline underline-offset-2">{policyWords[policyOf(instance)]}</Badge>
          </UiLink>
        </Row>
        {hasCooldown && (
          <Row label="Cooldown">
            {status.at === 'waiting' ? (
              `Waiting (${status.left})`
            ) : (
              <span className="inline-flex items-center gap-1.5">
                <Spinner label={null} /> Restarting soon…
              </span>
            )}
          </Row>
        )}
      </dl>
      <p className="px-4 py-3 text-secondary">
        {outlook[status.at]} <ExternalLink href={guides.instances.href}>Read about instances</ExternalLink>
      </p>
    </>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center gap-3 border-b border-line-faint px-4 py-1.5">
      <dt className="label-mono w-28 shrink-0">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
