import { Badge } from '#/ui/value/Badge.tsx'
import type { Router } from '#/features/vpc-names/queries.ts'

export const RouterKind = ({ kind }: Pick<Router, 'kind'>) => (
  <Badge tone={kind === 'custom' ? 'accent' : 'neutral'}>{kind}</Badge>
)
