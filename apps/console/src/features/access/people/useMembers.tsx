import { useState, type ReactNode } from 'react'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { AddMemberDialog, askToRemoveMember } from './GroupDialogs.tsx'
import type { Place } from './useUserMenu.tsx'

/** The button that adds members to a group, the menu of a member, and the dialog that is open. */
export function useMembers(
  { silo, isLocal, disabledReason }: Place,
  { id: groupId, displayName: name }: { id: string; displayName: string },
): {
  button: ReactNode
  menu: (user: { id: string; displayName: string }) => MenuItem[]
  dialog: ReactNode
} {
  const [isAdding, setAdding] = useState(false)
  const group = { id: groupId, name, silo }
  const menu = ({ id, displayName }: { id: string; displayName: string }): MenuItem[] => {
    const copy = { label: 'Copy ID', onAction: () => void copyWithToast(id, 'User ID') }
    if (!isLocal) return [copy]
    const remove = () => askToRemoveMember(group, { id, name: displayName })
    return [copy, { label: 'Remove from group', danger: true, disabledReason, onAction: remove }]
  }
  return {
    button: isLocal && (
      <NewButton disabledReason={disabledReason} onClick={() => setAdding(true)}>
        Add member
      </NewButton>
    ),
    menu,
    dialog: isAdding && <AddMemberDialog group={group} onDismiss={() => setAdding(false)} />,
  }
}
