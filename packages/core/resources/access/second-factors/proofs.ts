/** Proving a second factor of a sign-in, or a recovery code in its place. */
import { plainCode } from '@purlin/contract/rules/credentials/second-factors'
import type { BodyOf, RequestContext } from '#/context.ts'
import type { SecondFactorTable, SignInChallengeTable, Tx } from '#/db/tables.ts'
import { factorsPort, passkeysFor, passkeysOf, relyingParty } from './relying-party.ts'

type Proof = BodyOf<'loginSecondFactor'>
type Asking = Pick<RequestContext, 'world' | 'now' | 'origin'>

/** Records that a proof is used. False if another request has used it. */
export type Use = (tx: Tx) => Promise<boolean>

/** How the use of a right proof is recorded; null for a wrong one. */
export async function checkProof(
  asking: Asking,
  { challenge, factors }: { challenge: SignInChallengeTable; factors: readonly SecondFactorTable[] },
  proof: Proof,
): Promise<Use | null> {
  switch (proof.type) {
    case 'totp':
      return checkCode(asking, factors, plainCode(proof.code))
    case 'recovery_code':
      return checkRecoveryCode(asking, challenge.siloUserId, plainCode(proof.code))
    case 'passkey':
      return checkPasskey(asking, { challenge, factors }, proof)
  }
}

async function checkCode(
  { world, now }: Asking,
  factors: readonly SecondFactorTable[],
  code: string,
): Promise<Use | null> {
  for (const { id, secret, lastStep } of factors) {
    const step = secret === null ? null : await factorsPort(world).codes.stepOf(secret, code, now)
    if (step !== null && step > (lastStep ?? 0)) return useOfCode(id, step, now)
  }
  return null
}

const useOfCode =
  (id: string, lastStep: number, now: number): Use =>
  async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('secondFactor')
      .set({ lastStep, timeLastUsed: now })
      .where('id', '=', id)
      .where('lastStep', '<', lastStep)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

async function checkRecoveryCode({ world }: Asking, siloUserId: string, code: string): Promise<Use | null> {
  const codeHash = world.passwords.fingerprint(code)
  const found = await world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('recoveryCode')
      .select('codeHash')
      .where('siloUserId', '=', siloUserId)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst(),
  )
  return found ? useOfRecoveryCode(codeHash, siloUserId) : null
}

const useOfRecoveryCode =
  (codeHash: string, siloUserId: string): Use =>
  async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('recoveryCode')
      .where('siloUserId', '=', siloUserId)
      .where('codeHash', '=', codeHash)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

async function checkPasskey(
  { world, now, origin }: Asking,
  { challenge, factors }: { challenge: SignInChallengeTable; factors: readonly SecondFactorTable[] },
  proof: Extract<Proof, { type: 'passkey' }>,
): Promise<Use | null> {
  const expected = { challenge: challenge.challenge, ...relyingParty({ origin }) }
  const known = passkeysFor(factors, expected.rpId).find(
    ({ credential }) => credential === proof.credentialId,
  )
  if (!known) return null
  const { id, publicKey, counter } = known
  const passkey = { credentialId: proof.credentialId, publicKey: publicKey ?? '', counter: counter ?? 0 }
  const count = await passkeysOf(world, expected.rpId).verify(proof, expected, passkey)
  return count === null ? null : useOfPasskey(id, count, now)
}

const useOfPasskey =
  (id: string, counter: number, now: number): Use =>
  async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('secondFactor')
      .set({ counter, timeLastUsed: now })
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
