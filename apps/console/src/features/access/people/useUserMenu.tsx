import { useState, type ReactNode } from 'react'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import {
  activateUser,
  askToDeactivate,
  askToDelete,
  askToResetFactors,
  SetPasswordDialog,
  type LocalUser,
} from './LocalUserDialogs.tsx'

/** Where users are listed: a silo, whether its users are local, and why they may not be managed. */
export interface Place {
  silo: string
  isLocal: boolean
  disabledReason: string | undefined
}

/** A user as lists and views have one. */
export interface ListedUser {
  id: string
  displayName: string
  timeDeactivated?: Date | undefined
  serviceAccount?: boolean | undefined
}

/** The menu of a user, in its row or on its page, and the dialog that it has opened. */
export function useUserMenu(
  { silo, isLocal, disabledReason }: Place,
  leave: () => unknown = () => undefined,
): {
  menu: (user: ListedUser) => MenuItem[]
  dialog: ReactNode
} {
  const [changed, setChanged] = useState<LocalUser>()
  const menu = ({ id, displayName, timeDeactivated, serviceAccount = false }: ListedUser): MenuItem[] => {
    const user = { id, name: displayName, silo }
    const copy = { label: 'Copy ID', onAction: () => void copyWithToast(id, 'User ID') }
    if (!isLocal || serviceAccount) return [copy]
    return [
      copy,
      { label: 'Set password', disabledReason, onAction: () => setChanged(user) },
      {
        label: 'Remove second factors',
        danger: true,
        disabledReason,
        onAction: () => askToResetFactors(user),
      },
      timeDeactivated
        ? { label: 'Activate', disabledReason, onAction: () => void activateUser(user) }
        : { label: 'Deactivate', danger: true, disabledReason, onAction: () => askToDeactivate(user) },
      { label: 'Delete', danger: true, disabledReason, onAction: () => askToDelete(user, leave) },
    ]
  }
  return {
    menu,
    dialog: changed && <SetPasswordDialog user={changed} onDismiss={() => setChanged(undefined)} />,
  }
}
