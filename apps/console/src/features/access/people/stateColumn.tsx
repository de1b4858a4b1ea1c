import { Badge } from '#/ui/value/Badge.tsx'
import type { ListedUser } from './useUserMenu.tsx'

/** Whether a user may sign in. */
export const stateColumn = {
  id: 'state',
  header: 'state',
  cell: ({ timeDeactivated, serviceAccount }: ListedUser) => (
    <span className="inline-flex flex-wrap gap-1">
      {timeDeactivated ? <Badge tone="idle">deactivated</Badge> : <Badge tone="ok">active</Badge>}
      {serviceAccount && <Badge>service account</Badge>}
    </span>
  ),
}
