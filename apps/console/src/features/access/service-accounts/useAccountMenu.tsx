import { useState, type ReactNode } from 'react'
import { copyWithToast } from '#/resource/actions/copyWithToast.ts'
import { useSiloAdminReason } from '#/resource/role/useSiloAdminReason.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import { AccountDialog, askToDeleteAccount, askToDisable, askToEnable } from './AccountDialogs.tsx'
import type { Account } from './accounts.ts'

interface Leaving {
  /** Runs after one was renamed. */
  renamed?: (name: string) => unknown
  /** Runs after one was deleted. */
  deleted?: () => unknown
}

/** The menu of a service account, in its row or on its page, and the dialog that it has opened. */
export function useAccountMenu(
  silo: string,
  { renamed = () => undefined, deleted = () => undefined }: Leaving = {},
): { menu: (account: Account) => MenuItem[]; dialog: ReactNode } {
  const disabledReason = useSiloAdminReason(silo)
  const [edited, setEdited] = useState<Account>()
  const menu = (account: Account): MenuItem[] => [
    { label: 'Copy ID', onAction: () => void copyWithToast(account.id, 'Service account ID') },
    { label: 'Edit', disabledReason, onAction: () => setEdited(account) },
    account.disabled
      ? { label: 'Enable', disabledReason, onAction: () => askToEnable(silo, account) }
      : { label: 'Disable', danger: true, disabledReason, onAction: () => askToDisable(silo, account) },
    {
      label: 'Delete',
      danger: true,
      disabledReason,
      onAction: () => askToDeleteAccount(silo, account, deleted),
    },
  ]
  return {
    menu,
    dialog: edited && (
      <AccountDialog silo={silo} account={edited} onDone={renamed} onDismiss={() => setEdited(undefined)} />
    ),
  }
}
