/** The user of a request, for its line in the log. */
import { nameProblem } from '@purlin/contract/rules/names'

export function logActor(logged: Record<string, string>, user: { userId: string; siloId: string }): void {
  logged['userId'] = user.userId
  logged['siloId'] = user.siloId
}

/**
 * Names the account of a sign-in. What cannot be a username is left out: people type their password into the wrong
 * field.
 */
export function logAccount(
  logged: Record<string, string>,
  { siloName, username }: { siloName: string; username: string },
): void {
  const isPossible = nameProblem(username) === undefined
  logged['account'] = `${siloName}/${isPossible ? username : '(no possible name)'}`
}
