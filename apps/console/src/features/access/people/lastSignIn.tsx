import { useRole } from '#/resource/role/useRole.ts'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import type { ListedUser } from './useUserMenu.tsx'

/** When a user last signed in, if that is known. */
export const LastSignIn = ({ timeLastSignedIn }: Pick<ListedUser, 'timeLastSignedIn'>) =>
  timeLastSignedIn ? <DateTime date={timeLastSignedIn} /> : <Dash />

export const lastSignInColumn = {
  id: 'lastSignIn',
  header: 'last sign-in',
  order: 'last_sign_in',
  tip: 'In a browser. The page of a user has their sessions and access tokens.',
  spare: 1,
  cell: (user: ListedUser) => <LastSignIn {...user} />,
}

/** Whether the signed-in person is shown when the others of their silo sign in. */
export function useSeesSignIns(): boolean {
  const [inSilo, inFleet] = [useRole(), useRole(undefined, 'fleet')]
  return !inSilo.lacks('admin') || !inFleet.lacks('viewer')
}
