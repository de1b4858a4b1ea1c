/** States of resources as badges: the colour groups them, the word names them. */
import {
  type DiskState,
  diskTransitional,
  type InstanceState,
  isTransitional,
  type SnapshotState,
  snapshotTransitional,
} from '@purlin/contract/rules/states'
import type { Role } from '@purlin/contract/rules/roles'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'

/** The colours of instance states. */
export const instanceTones: Record<InstanceState, BadgeTone> = {
  creating: 'busy',
  starting: 'busy',
  running: 'ok',
  stopping: 'busy',
  stopped: 'idle',
  rebooting: 'busy',
  migrating: 'note',
  repairing: 'note',
  failed: 'danger',
  destroyed: 'danger',
}
const diskTones: Record<DiskState, BadgeTone> = {
  creating: 'busy',
  detached: 'idle',
  import_ready: 'note',
  importing_from_url: 'note',
  importing_from_bulk_writes: 'note',
  finalizing: 'busy',
  maintenance: 'note',
  attaching: 'busy',
  attached: 'ok',
  detaching: 'busy',
  destroyed: 'danger',
  faulted: 'danger',
}
const snapshotTones: Record<SnapshotState, BadgeTone> = {
  creating: 'busy',
  ready: 'ok',
  faulted: 'danger',
  destroyed: 'danger',
}
/** The colours of the states of every kind. */
export const toneOfState = (state: string): BadgeTone =>
  ({ ...snapshotTones, ...diskTones, ...instanceTones, failing: 'danger' as const })[state] ?? 'neutral'

const roleTones: Record<Role, BadgeTone> = { admin: 'accent', collaborator: 'neutral', viewer: 'neutral' }

export const InstanceStateBadge = ({ state }: { state: InstanceState }) => (
  <Badge tone={instanceTones[state]} dot pulsing={isTransitional(state)}>
    {state}
  </Badge>
)
export const DiskStateBadge = ({ state }: { state: DiskState }) => (
  <Badge tone={diskTones[state]} dot pulsing={diskTransitional.includes(state)}>
    {state.replaceAll('_', ' ')}
  </Badge>
)
export const SnapshotStateBadge = ({ state }: { state: SnapshotState }) => (
  <Badge tone={snapshotTones[state]} dot pulsing={snapshotTransitional.includes(state)}>
    {state}
  </Badge>
)
/** `silo.admin`, `project.viewer`: where the role comes from, and which. */
export const RoleBadge = ({ source, role }: { source: 'fleet' | 'silo' | 'project'; role: Role }) => (
  <Badge tone={roleTones[role]}>
    {source}.{role}
  </Badge>
)
