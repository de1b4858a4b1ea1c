import { useState, type ReactNode } from 'react'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { askToDeleteGroup, RenameGroupDialog, type LocalGroup } from './GroupDialogs.tsx'
import type { Place } from './useUserMenu.tsx'

/** The menu of a group, in its row or on its page, and the dialog that it has opened. */
export function useGroupMenu(
  { silo, isLocal, disabledReason }: Place,
  leave: () => unknown = () => undefined,
): {
  menu: (group: { id: string; displayName: string }) => MenuItem[]
  dialog: ReactNode
} {
  const [renamed, setRenamed] = useState<LocalGroup>()
  const menu = ({ id, displayName }: { id: string; displayName: string }): MenuItem[] => {
    const group = { id, name: displayName, silo }
    const copy = { label: 'Copy ID', onAction: () => void copyWithToast(id, 'Group ID') }
    if (!isLocal) return [copy]
    return [
      copy,
      { label: 'Rename', disabledReason, onAction: () => setRenamed(group) },
      { label: 'Delete', danger: true, disabledReason, onAction: () => askToDeleteGroup(group, leave) },
    ]
  }
  return {
    menu,
    dialog: renamed && <RenameGroupDialog group={renamed} onDismiss={() => setRenamed(undefined)} />,
  }
}
