import { useState, type ReactNode } from 'react'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { askToDelete, SetPasswordDialog, type LocalUser } from './LocalUserDialogs.tsx'

/** Where users are listed: a silo, whether its users are local, and why they may not be managed. */
export interface Place {
  silo: string
  isLocal: boolean
  disabledReason: string | undefined
}

/** The menu of a row of users, and the dialog that it has opened. */
export function useUserMenu({ silo, isLocal, disabledReason }: Place): {
  menu: (user: { id: string; displayName: string }) => MenuItem[]
  dialog: ReactNode
} {
  const [changed, setChanged] = useState<LocalUser>()
  const menu = ({ id, displayName }: { id: string; displayName: string }): MenuItem[] => {
    const user = { id, name: displayName, silo }
    const copy = { label: 'Copy ID', onAction: () => void copyWithToast(id, 'User ID') }
    if (!isLocal) return [copy]
    return [
      copy,
      { label: 'Set password', disabledReason, onAction: () => setChanged(user) },
      { label: 'Delete', danger: true, disabledReason, onAction: () => askToDelete(user, () => undefined) },
    ]
  }
  return {
    menu,
    dialog: changed && <SetPasswordDialog user={changed} onDismiss={() => setChanged(undefined)} />,
  }
}
