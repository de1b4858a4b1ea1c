import type { ReactNode } from 'react'
import { copyId, useActions, type Action } from '#/resource/actions/actions.tsx'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { askToDeleteGroup, RenameGroupDialog } from './GroupDialogs.tsx'
import type { Place } from './useUserMenu.tsx'

/** A group as lists and views have one. */
export interface ListedGroup {
  id: string
  displayName: string
}

/** The menu of a group, in its row or on its page, and the dialog that it has opened. */
export function useGroupMenu(
  place: Place,
  leave?: () => unknown,
): { menu: (group: ListedGroup) => MenuItem[]; dialog: ReactNode } {
  return useActions<ListedGroup>(siloGroupActions(place, leave), {})
}

/** Actions on a group of a silo. */
export const siloGroupActions = (
  { silo, isLocal, disabledReason: reason }: Place,
  leave: () => unknown = () => undefined,
): Action<ListedGroup>[] => {
  const local = ({ id, displayName }: ListedGroup) => ({ id, name: displayName, silo })
  const disabledReason = () => reason
  const isOffered = () => isLocal
  return [
    copyId('group'),
    {
      id: 'rename',
      label: 'Rename',
      disabledReason,
      isOffered,
      dialog: (group, close) => <RenameGroupDialog key={group.id} group={local(group)} onDismiss={close} />,
    },
    {
      id: 'delete',
      label: 'Delete',
      isDanger: true,
      disabledReason,
      isOffered,
      onAction: (group) => askToDeleteGroup(local(group), leave),
      command: null,
    },
  ]
}
