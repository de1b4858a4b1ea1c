import { passwordProblem } from '@purlin/contract/rules/credentials/passwords'

/** Why a new password is refused, as far as the console knows. */
export function newPasswordProblem(text: string, username: string): string | undefined {
  const problem = passwordProblem(text, username)
  return problem && `A password ${problem}`
}
