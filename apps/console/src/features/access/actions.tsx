import { changeProjectRole, knownRole } from './changeRole.ts'
import { losesAdmin, type RoleChange } from './policy.ts'
import type { AccessRow } from './rows.ts'
import type { Access } from './useAccess.ts'
import { remainingWords } from './words.ts'
import type { Action } from '#/resource/actions.tsx'
import { confirmAction } from '#/resource/confirm.ts'
import { copyWithToast } from '#/resource/copyWithToast.ts'
import { sections } from '#/lib/addresses.ts'
import { Highlight } from '#/ui/Highlight.tsx'
import { addToast } from '#/ui/toast.ts'

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
        {isOwnAdmin && <p>You cannot undo this yourself. Only another admin can assign the role again.</p>}
      </>
    ),
    errorTitle: 'Could not remove role',
    actionType: 'danger',
    ...(isOwnAdmin ? { typeToConfirm: project } : {}),
    doAction: async () => {
      try {
        await changeProjectRole(project, change)
      } catch (error) {
        // The message says what it is now, so the person may confirm once more.
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

const inherited = ({ projectRole }: AccessRow) =>
  projectRole === null
    ? 'The role is inherited from the silo. Add the user or group to this project to assign a role here.'
    : undefined

/** What can be done with a row of the access table. */
export const accessActions = (project: string, access: Access): Action<AccessRow>[] => [
  {
    id: 'copyId',
    label: 'Copy ID',
    onAction: ({ id, identityType }) =>
      copyWithToast(id, identityType === 'silo_group' ? 'Group ID' : 'User ID'),
  },
  {
    id: 'change',
    label: 'Change role',
    role: 'admin',
    disabledReason: inherited,
    href: ({ id }) => sections.access.edit({ project, name: id }),
  },
  {
    id: 'remove',
    label: 'Remove role',
    role: 'admin',
    isDanger: true,
    disabledReason: inherited,
    onAction: (row) => askToRemove(project, access, row),
  },
]
