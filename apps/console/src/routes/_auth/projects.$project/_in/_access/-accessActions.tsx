import { useNavigate } from '@tanstack/react-router'
import { changeProjectRole, knownRole } from '../../../../../parts/access/changeRole.ts'
import { losesAdmin, type RoleChange } from '../../../../../parts/access/policy.ts'
import type { AccessRow } from '../../../../../parts/access/rows.ts'
import type { Access } from '../../../../../parts/access/useAccess.ts'
import { useProjectRole } from '../../../../../parts/access/useProjectRole.ts'
import { remainingWords } from '../../../../../parts/access/words.ts'
import { confirmAction } from '../../../../../parts/confirm.ts'
import { copyWithToast } from '../../../../../parts/copy.ts'
import { paths } from '../../../../../paths.ts'
import { Highlight } from '../../../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../../../ui/menuItems.ts'
import { addToast } from '../../../../../ui/toast.ts'

/** Asks, saying what access is left; taking the own admin role asks for the project's name as well. */
function askToRemove(project: string, access: Access, row: AccessRow): void {
  const name = row.name ?? row.id
  const change: RoleChange = {
    identityId: row.id,
    identityType: row.identityType,
    seen: row.projectRole,
    roleName: null,
  }
  const isOwnAdmin = access.self !== undefined && losesAdmin(access.policies, access.self, change)
  const isSelf = access.self?.id === row.id
  confirmAction({
    modalTitle: isOwnAdmin ? 'Remove your own admin role' : 'Remove role',
    modalContent: (
      <>
        <p>
          Are you sure you want to remove the {row.projectRole} role on <Highlight>{project}</Highlight> from{' '}
          <Highlight>{isSelf ? 'yourself' : name}</Highlight>?
        </p>
        <p>{remainingWords(access.policies, row, isSelf)}</p>
        {isOwnAdmin && <p>You will not be able to give it back: only another admin can.</p>}
      </>
    ),
    errorTitle: 'Could not remove role',
    actionType: 'danger',
    ...(isOwnAdmin ? { typeToConfirm: project } : {}),
    doAction: async () => {
      try {
        await changeProjectRole(project, change)
      } catch (error) {
        // Told what it is now, the person may confirm once more.
        change.seen = knownRole(project, row.id)
        throw error
      }
      addToast({
        title: 'Access removed',
        content: (
          <>
            <Highlight>{name}</Highlight> no longer has the {row.projectRole} role on this project
          </>
        ),
      })
    },
  })
}

/** The row actions of the access table. */
export function useAccessActions(project: string, access: Access): (row: AccessRow) => MenuItem[] {
  const navigate = useNavigate()
  const { lacks } = useProjectRole(project)
  return (row) => {
    const inherited =
      row.projectRole === null
        ? 'The role comes from the silo. Add the user or group here to give it a role on this project too.'
        : undefined
    const disabledReason = lacks('admin') ?? inherited
    const refused = disabledReason ? { disabledReason } : {}
    return [
      {
        label: 'Copy ID',
        onAction: () =>
          void copyWithToast(row.id, row.identityType === 'silo_group' ? 'Group ID' : 'User ID'),
      },
      {
        label: 'Change role',
        onAction: () => void navigate({ href: paths.projectAccessEdit({ project, identity: row.id }) }),
        ...refused,
      },
      {
        label: 'Remove role',
        danger: !disabledReason,
        onAction: () => askToRemove(project, access, row),
        ...refused,
      },
    ]
  }
}
