/** The rules of new passwords: their length, the name of their user, and the list of common ones. */
import { commonProblem, isCommon, passwordProblem } from '@purlin/contract/rules/credentials/passwords'
import type { World } from '#/context.ts'
import { fault } from '#/faults.ts'
import type { Ids } from '#/ports.ts'

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

// 32 characters that are not easily confused, five bits each: 20 of them have 100 random bits.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A password that no one guesses. */
export function randomPassword(ids: Ids): string {
  const letters = Array.from(ids.bytes(20), (byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replaceAll(/.{5}(?=.)/g, '$&-')
}
