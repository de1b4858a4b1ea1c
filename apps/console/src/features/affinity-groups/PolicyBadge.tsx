import { Badge } from '#/ui/value/Badge.tsx'
import type { AntiAffinityGroup } from './queries.ts'

type Policy = AntiAffinityGroup['policy']

/** What the policy of a group decides. */
export const policyHint =
  "Determines whether member instances are allowed to start when the anti-affinity rule can't be satisfied"

/** Whether a member may start beside another one: `allow` or `fail`. */
export const PolicyBadge = ({ policy }: { policy: Policy }) => (
  <Badge tone={policy === 'fail' ? 'accent' : 'neutral'}>{policy}</Badge>
)

export const policyColumn = {
  id: 'policy',
  header: 'policy',
  tip: policyHint,
  cell: PolicyBadge,
}
