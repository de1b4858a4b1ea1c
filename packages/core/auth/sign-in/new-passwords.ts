/** The rules of new passwords: their length, the name of their user, and the list of common ones. */
import { commonProblem, isCommon, passwordProblem } from '@purlin/contract/rules/credentials/passwords'
import type { World } from '#/context.ts'
import { fault } from '#/faults.ts'

interface NewPassword {
  password: string
  username: string
}

/** Why a user may not have a password; undefined if there is no reason. */
export async function newPasswordProblem(
  { passwords }: Pick<World, 'passwords'>,
  { password, username }: NewPassword,
): Promise<string | undefined> {
  const problem = passwordProblem(password, username)
  if (problem !== undefined) return problem
  return isCommon(password, await passwords.common()) ? commonProblem : undefined
}

/** Throws 400 for a new password, in a field of the request, that the user may not have. */
export async function checkNewPassword(
  world: Pick<World, 'passwords'>,
  wanted: NewPassword,
  field: string,
): Promise<void> {
  const problem = await newPasswordProblem(world, wanted)
  if (problem !== undefined) throw fault.invalidValue(field, problem)
}
