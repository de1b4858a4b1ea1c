/**
 * Sign-ins that have proven the password and need a second step. The browser has a random token in a cookie; its row
 * in the database says who signs in, so that any server continues, and that a sign-in is completed once.
 */
import { answersOfChallenge, challengeMs } from '@purlin/contract/rules/credentials/second-factors'
import type { RequestContext, World } from '#/context.ts'
import type { SignInChallengeTable, Tx } from '#/db/tables.ts'
import { base64UrlOf } from '#/bytes.ts'
import { cookieOf, setCookie } from '../cookies.ts'

type Making = Pick<World, 'ids' | 'clock'>

const cookieName = 'second-factor'

/** A new challenge of a user. */
export const newChallenge = (
  { ids, clock }: Making,
  of: Pick<SignInChallengeTable, 'id' | 'siloUserId' | 'step'>,
): SignInChallengeTable => ({
  ...of,
  wrong: 0,
  challenge: base64UrlOf(ids.bytes(32)),
  secret: null,
  timeExpires: clock.now() + challengeMs,
})

/** The next step of a sign-in: its row, and the cookie that this browser continues with. */
export function nextStep(
  { world, secure }: RequestContext,
  { siloName, userId, step }: { siloName: string; userId: string; step: 'prove' | 'add' },
): { row: SignInChallengeTable; cookie: string } {
  const token = base64UrlOf(world.ids.bytes(32))
  const row = newChallenge(world, { id: world.passwords.fingerprint(token), siloUserId: userId, step })
  return { row, cookie: cookieWith(token, { siloName, secure }) }
}

/** Clears the cookie of a sign-in that is complete. */
export const clearedCookie = (siloName: string, secure: boolean): string =>
  cookieWith('', { siloName, secure })

const cookieWith = (value: string, { siloName, secure }: { siloName: string; secure: boolean }): string =>
  setCookie({
    name: cookieName,
    value,
    path: `/v1/login/${siloName}/local/second-factor`,
    sameSite: 'Strict',
    seconds: value === '' ? 0 : challengeMs / 1000,
    secure,
  })

/** The id of the challenge that a browser's cookie is for; null without one. */
export function challengeIdOf({ world, cookieHeader }: RequestContext): string | null {
  const token = cookieOf(cookieHeader, cookieName)
  return token ? world.passwords.fingerprint(token) : null
}

/** Deletes a challenge. False if it is gone: another request has completed it. */
export async function endChallenge(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('signInChallenge').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Counts a wrong answer. After too many, the sign-in begins again with the password. */
export async function countWrong(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('signInChallenge')
    .set((eb) => ({ wrong: eb('wrong', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await tx
    .deleteFrom('signInChallenge')
    .where('id', '=', id)
    .where('wrong', '>=', answersOfChallenge)
    .execute()
}
