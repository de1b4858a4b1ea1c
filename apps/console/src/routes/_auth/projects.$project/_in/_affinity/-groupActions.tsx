import {
  antiAffinityGroupDelete,
  antiAffinityGroupList,
  instanceAntiAffinityGroupList,
} from '@purlin/contract/operations/affinity'
import { invalidate } from '../../../../../api.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import type { AntiAffinityGroup } from '../../../../../parts/affinity/groups.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { paths } from '../../../../../paths.ts'
import { send } from '../../../../../send.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { addToast } from '../../../../../ui/toast.ts'

interface Deleting {
  project: string
  name: string
  /** Runs between the deletion and the reading anew: leaves the page of a group that is no more. */
  leave: () => unknown
}

function askToDelete({ project, name, leave }: Deleting): void {
  confirmAction({
    modalTitle: 'Delete anti-affinity group',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete <Highlight>{name}</Highlight>?
        </p>
        <p>Its members stay as they are. From their next start on they may share a sled.</p>
      </>
    ),
    errorTitle: 'Could not delete anti-affinity group',
    actionType: 'danger',
    doAction: async () => {
      await send(antiAffinityGroupDelete, { params: { antiAffinityGroup: name }, query: { project } })
      await leave()
      await invalidate(antiAffinityGroupList, instanceAntiAffinityGroupList)
      addToast({
        content: (
          <>
            Anti-affinity group <Highlight>{name}</Highlight> deleted
          </>
        ),
      })
    },
  })
}

/** The actions on a group, for its row and for its page. */
export function useGroupActions(
  project: string,
  leave: () => unknown = () => undefined,
): (group: AntiAffinityGroup) => MenuItem[] {
  const disabledReason = useProjectRole(project).lacks('collaborator')
  return ({ id, name }) => [
    { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Anti-affinity group ID') },
    {
      label: 'Edit',
      disabledReason,
      href: paths.antiAffinityGroupEdit({ project, antiAffinityGroup: name }),
    },
    {
      label: 'Delete',
      danger: !disabledReason,
      disabledReason,
      onAction: () => askToDelete({ project, name, leave }),
    },
  ]
}
