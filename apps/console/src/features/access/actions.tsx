import { changeRequest, changeRole, knownRole } from './roles/changeRole.ts'
import { addressesOf, hereOf, nameOf, siloOf } from './place.ts'
import { losesAdmin, type RoleChange } from './policy.ts'
import type { AccessRow } from './rows.ts'
import type { Access } from './useAccess.ts'
import { remainingWords } from './words.ts'
import type { Action } from '#/resource/actions/actions.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { paths } from '#/lib/addresses.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

/** Asks, saying what access is left; taking the own admin role asks for the place's name as well. */
function askToRemove(access: Access, row: AccessRow): void {
  const { place } = access
  const here = hereOf(place)
  const name = row.name ?? row.id
  const change: RoleChange = {
    identityId: row.id,
    identityType: row.identityType,
    seen: row.ownRole,
    roleName: null,
  }
  const isOwnAdmin = access.self !== undefined && losesAdmin(access.policies, access.self, change)
  const isSelf = access.self?.id === row.id
  confirmAction({
    modalTitle: isOwnAdmin ? 'Remove your own admin role' : 'Remove role',
    modalContent: (
      <>
        <p>
          Are you sure you want to remove the {row.ownRole} role on <Highlight>{nameOf(place)}</Highlight>{' '}
          from <Highlight>{isSelf ? 'yourself' : name}</Highlight>?
        </p>
        <p>{remainingWords(access.policies, row, isSelf)}</p>
        {isOwnAdmin && <p>You cannot undo this yourself. Only another admin can assign the role again.</p>}
      </>
    ),
    errorTitle: 'Could not remove role',
    actionType: 'danger',
    ...(isOwnAdmin ? { typeToConfirm: nameOf(place) } : {}),
    command: () => changeRequest(place, change),
    doAction: async () => {
      let undo
      try {
        undo = await changeRole(place, change)
      } catch (error) {
        // The message says what it is now, so the person may confirm once more.
        change.seen = knownRole(place, row.id)
        throw error
      }
      const content = (
        <>
          <Highlight>{name}</Highlight> no longer has the {row.ownRole} role on {here}
        </>
      )
      const undone = (
        <>
          <Highlight>{name}</Highlight> has the {row.ownRole} role on {here} again
        </>
      )
      const toast = { title: 'Access removed', content }
      addToast(isOwnAdmin ? toast : undoable(toast, { run: undo, undone }))
    },
  })
}

const inherited = ({ ownRole }: AccessRow) =>
  ownRole === null
    ? 'The role is inherited from the silo. Add the user or group to this project to assign a role here.'
    : undefined

/** Actions on a row of the access table. */
export const accessActions = (access: Access): Action<AccessRow>[] => [
  {
    id: 'copyId',
    label: 'Copy ID',
    command: null,
    onAction: ({ id, identityType }) =>
      copyWithToast(id, identityType === 'silo_group' ? 'Group ID' : 'User ID'),
  },
  {
    id: 'explain',
    label: 'Show all roles',
    isOffered: ({ isGone }) => !isGone,
    href: ({ id, identityType }) => {
      if (access.place.level === 'fleet' || siloOf(access.place) !== undefined) return paths.fleetIdentity(id)
      return identityType === 'silo_group' ? paths.group(id) : paths.user(id)
    },
  },
  {
    id: 'change',
    label: 'Change role',
    disabledReason: (row) => access.lacks ?? inherited(row),
    href: ({ id }) => addressesOf(access.place).edit(id),
  },
  {
    id: 'remove',
    label: 'Remove role',
    isDanger: true,
    disabledReason: (row) => access.lacks ?? inherited(row),
    command: null,
    onAction: (row) => askToRemove(access, row),
  },
]
