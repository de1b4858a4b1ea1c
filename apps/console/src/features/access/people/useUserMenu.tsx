import type { ReactNode } from 'react'
import { copyId, useActions, type Action } from '#/resource/actions/actions.tsx'
import type { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import type { MenuItem } from '#/ui/overlay/menuItems.ts'
import {
  activating,
  askToDeactivate,
  askToDelete,
  askToResetFactors,
  SetPasswordDialog,
} from './LocalUserDialogs.tsx'

/** Where users are listed: a silo, whether its users are local, and why they may not be managed. */
export interface Place {
  silo: string
  isLocal: boolean
  disabledReason: string | undefined
}

/** The silo of the signed-in person as such a place. */
export const placeOf = ({ silo, disabledReason }: ReturnType<typeof useLocalSilo>): Place => ({
  silo: silo ?? '',
  isLocal: silo !== undefined,
  disabledReason,
})

/** A user as lists and views have one. */
export interface ListedUser {
  id: string
  displayName: string
  timeDeactivated?: Date | undefined
  timeLastSignedIn?: Date | undefined
  serviceAccount?: boolean | undefined
}

/** The menu of a user, in its row or on its page, and the dialog that it has opened. */
export function useUserMenu(
  place: Place,
  leave?: () => unknown,
): { menu: (user: ListedUser) => MenuItem[]; dialog: ReactNode } {
  return useActions<ListedUser>(userActions(place, leave), {})
}

/** Actions on a user. */
export const userActions = (
  { silo, isLocal, disabledReason: reason }: Place,
  leave: () => unknown = () => undefined,
): Action<ListedUser>[] => {
  const local = ({ id, displayName }: ListedUser) => ({ id, name: displayName, silo })
  const isManaged = ({ serviceAccount = false }: ListedUser) => isLocal && !serviceAccount
  const disabledReason = () => reason
  return [
    copyId('user'),
    {
      id: 'setPassword',
      label: 'Set password',
      disabledReason,
      isOffered: isManaged,
      dialog: (user, close) => <SetPasswordDialog user={local(user)} onDismiss={close} />,
    },
    {
      id: 'resetFactors',
      label: 'Remove second factors',
      isDanger: true,
      disabledReason,
      isOffered: isManaged,
      onAction: (user) => askToResetFactors(local(user)),
      command: null,
    },
    {
      id: 'activate',
      label: 'Activate',
      disabledReason,
      isOffered: (user) => isManaged(user) && Boolean(user.timeDeactivated),
      ...activating(local),
    },
    {
      id: 'deactivate',
      label: 'Deactivate',
      isDanger: true,
      disabledReason,
      isOffered: (user) => isManaged(user) && !user.timeDeactivated,
      onAction: (user) => askToDeactivate(local(user)),
      command: null,
    },
    {
      id: 'delete',
      label: 'Delete',
      isDanger: true,
      disabledReason,
      isOffered: isManaged,
      onAction: (user) => askToDelete(local(user), leave),
      command: null,
    },
  ]
}
