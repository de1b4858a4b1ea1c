import { Badge } from '#/ui/value/Badge.tsx'
import type { AntiAffinityGroup } from './queries.ts'

type Policy = AntiAffinityGroup['policy']

/** The meaning of a group's policy. */
export const policyHint =
  "Determines whether member instances are allowed to start when the anti-affinity rule can't be satisfied"

/** The policy for a member that would share a sled: `allow` or `fail`. */
export const PolicyBadge = ({ policy }: { policy: Policy }) => (
  <Badge tone={policy === 'fail' ? 'accent' : 'neutral'}>{policy}</Badge>
)

export const policyColumn = {
  id: 'policy',
  header: 'policy',
  tip: policyHint,
  cell: PolicyBadge,
}
