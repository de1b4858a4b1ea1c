/** States of hardware: a badge with a word, and for how long it has been so. */
import type { DiskHealth } from '@purlin/contract/rules/hardware'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import type { Host } from '../hosts/hosts.ts'
import type { PhysicalDisk, Sled } from '../kinds.ts'
import { useRelease } from './restarting.ts'

interface Seen {
  id: string
  missingSince?: Date | null | undefined
}

/** A badge and for how long it has held. */
export const Since = ({ tone, word, since }: { tone: BadgeTone; word: string; since: Date }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
    <Badge tone={tone} dot pulsing={false}>
      {word}
    </Badge>
    <span className="whitespace-nowrap text-secondary">
      for <RelativeTime date={since} caption="Since" />
    </span>
  </span>
)

/** That it does not answer, which is no fault while it restarts with a release. */
function MissingBadge({ id, since }: { id: string; since: Date }) {
  const release = useRelease({ id, missingSince: since })
  return release === undefined ? (
    <Since tone="danger" word="missing" since={since} />
  ) : (
    <Since tone="note" word={`restarting with ${release}`} since={since} />
  )
}

/** Whether it is reported. */
export const PresenceBadge = ({ id, missingSince }: Seen) =>
  missingSince ? (
    <MissingBadge id={id} since={missingSince} />
  ) : (
    <Badge tone="ok" dot>
      present
    </Badge>
  )

/** Whether a host answers. */
export const HostBadge = ({ state, timeStateChanged }: Pick<Host, 'state' | 'timeStateChanged'>) => (
  <Since tone={state === 'up' ? 'ok' : 'danger'} word={state} since={timeStateChanged} />
)

/** Active or decommissioned; missing or in maintenance although it is active. */
export const LifeBadge = ({
  id,
  sledId,
  state,
  missingSince,
  maintenance,
}: Seen & Pick<Sled, 'state'> & Partial<Pick<Sled, 'maintenance'> & Pick<PhysicalDisk, 'sledId'>>) => {
  // A disk is missing with its sled.
  if (state === 'active' && missingSince) return <MissingBadge id={sledId ?? id} since={missingSince} />
  if (state === 'active' && maintenance)
    return <Since tone="note" word="in maintenance" since={maintenance.since} />
  return (
    <Badge tone={state === 'active' ? 'ok' : 'idle'} dot>
      {state}
    </Badge>
  )
}

export const PolicyBadge = ({ kind }: { kind: 'in_service' | 'expunged' }) => (
  <Badge tone={kind === 'in_service' ? 'ok' : 'idle'}>
    {kind === 'in_service' ? 'In service' : 'Expunged'}
  </Badge>
)

/** Whether new instances may start on the sled; a dash once it is out of service for good. */
export const ProvisionBadge = ({ policy }: Pick<Sled, 'policy'>) => {
  if (policy.kind === 'expunged') return <Dash />
  const isOpen = policy.provisionPolicy === 'provisionable'
  return <Badge tone={isOpen ? 'ok' : 'idle'}>{isOpen ? 'Provisionable' : 'Not provisionable'}</Badge>
}

const healthTones: Record<DiskHealth, BadgeTone> = { ok: 'ok', failing: 'busy', failed: 'danger' }

/** The health that a disk reports about itself, with the reason on hover. */
export function HealthBadge({ health, healthReason }: Pick<PhysicalDisk, 'health' | 'healthReason'>) {
  if (!health) return <Dash />
  const badge = (
    <Badge tone={healthTones[health]} dot pulsing={false}>
      {health}
    </Badge>
  )
  return healthReason ? <Tooltip content={healthReason}>{badge}</Tooltip> : badge
}

interface Link {
  state: 'up' | 'down'
  since?: Date | null | undefined
  /** It should be up. A port that was up before has a cable. */
  isUsed?: boolean
}

/** Whether a link is up. */
export function LinkBadge({ state, since, isUsed = Boolean(since) }: Link) {
  if (state === 'down' && since) return <Since tone="danger" word="down" since={since} />
  return (
    <Badge tone={state === 'up' ? 'ok' : isUsed ? 'danger' : 'idle'} dot>
      {state}
    </Badge>
  )
}
