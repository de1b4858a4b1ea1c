import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import type { ReactNode } from 'react'
import { autoRestartStatus, policyOf, policyWords, type AutoRestartStatus } from './autoRestart.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { useNow } from '#/ui/value/useNow.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { InfoPopover } from '#/ui/overlay/InfoPopover.tsx'
import { ExternalLink, UiLink } from '#/ui/button/link.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'

const outlook: Record<AutoRestartStatus['at'], string> = {
  off: 'This instance stays failed until it is started manually.',
  soon: 'The control plane will restart this instance soon.',
  waiting: 'The control plane will restart this instance after the cooldown.',
}

/** Next to the state of a failed instance: whether, and when, it will restart automatically. */
export function AutoRestartPopover({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  return (
    <InfoPopover
      label="Auto-restart status"
      size="small"
      icon={<CircleQuestionMark size={15} aria-hidden />}
      align="start"
      className="w-80"
    >
      {({ titleId, close }) => (
        <>
          <h2 id={titleId} className="sr-only">
            Auto-restart status
          </h2>
          <Rows target={target} instance={instance} onLeave={close} />
        </>
      )}
    </InfoPopover>
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
                <Spinner /> Restarting soon…
              </span>
            )}
          </Row>
        )}
      </dl>
      <p className="px-4 py-3 text-secondary">
        {outlook[status.at]} <ExternalLink href={guides.autoRestart.href}>Read about instances</ExternalLink>
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
