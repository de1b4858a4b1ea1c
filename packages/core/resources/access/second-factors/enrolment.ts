/** Adding a second factor: a question, and a proof that the new factor works. */
import { plainCode, type FactorType } from '@purlin/contract/rules/credentials/second-factors'
import type { BodyOf, InTransaction, RequestContext, World } from '#/context.ts'
import { endChallenge } from '#/auth/sign-in/challenges.ts'
import type { SecondFactorTable, SignInChallengeTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { insertNamed, newIdentity } from '#/resources/kind/rows.ts'
import { factorsOf, replaceCodes } from './factors.ts'
import { factorsPort, passkeysOf, questionOf, relyingParty } from './relying-party.ts'

type Confirmation = BodyOf<'currentUserSecondFactorConfirm'>
type Origin = Pick<RequestContext, 'origin'>

/** A local user who adds a factor. */
export interface Owner {
  id: string
  name: string
  siloName: string
}

const bytesOfSecret = 20

/** The secret of an app to add; null for a passkey. Throws 400 where there are no passkeys. */
export async function newSecret(world: World, origin: Origin, type: FactorType): Promise<string | null> {
  if (type === 'totp') return factorsPort(world).codes.secretOf(world.ids.bytes(bytesOfSecret))
  passkeysOf(world, relyingParty(origin).rpId)
  return null
}

/** The question of a challenge, as the user answers it. */
export async function questionTo(
  { world, origin }: Pick<RequestContext, 'world' | 'origin'>,
  owner: Owner,
  {
    challenge,
    secret,
    factors,
  }: Pick<SignInChallengeTable, 'challenge' | 'secret'> & { factors: SecondFactorTable[] },
) {
  if (secret !== null) {
    const issuer = `Purlin ${owner.siloName}`
    const address = await factorsPort(world).codes.addressOf({ secret, issuer, account: owner.name })
    return { type: 'totp' as const, secret, address }
  }
  const question = questionOf(challenge, relyingParty({ origin }).rpId, factors)
  return { type: 'passkey' as const, ...question, userHandle: handleOf(owner.id), username: owner.name }
}

// Authenticators keep it with the passkey: the digits of the id, which reveal nothing, are base64url already.
const handleOf = (id: string): string => id.replaceAll('-', '')

type Proven = Pick<
  SecondFactorTable,
  'type' | 'secret' | 'lastStep' | 'credential' | 'publicKey' | 'counter' | 'host'
>

/** The columns of a new factor, once its proof is right. Throws 400. */
export async function provenFactor(
  { world, now, origin }: Pick<RequestContext, 'world' | 'now' | 'origin'>,
  { challenge, secret }: Pick<SignInChallengeTable, 'challenge' | 'secret'>,
  proof: Confirmation['proof'],
): Promise<Proven> {
  if (proof.type === 'totp') {
    const step =
      secret === null ? null : await factorsPort(world).codes.stepOf(secret, plainCode(proof.code), now)
    if (step === null) throw fault.invalidValue('code', 'it is not the code that the app shows now')
    return {
      type: 'totp',
      secret,
      lastStep: step,
      credential: null,
      publicKey: null,
      counter: null,
      host: null,
    }
  }
  const expected = { challenge, ...relyingParty({ origin }) }
  const made = await passkeysOf(world, expected.rpId).register(proof, expected)
  if (!made) throw fault.invalidValue('proof', 'the answer of the authenticator does not fit')
  const { credentialId: credential, publicKey, counter } = made
  return {
    type: 'passkey',
    secret: null,
    lastStep: null,
    credential,
    publicKey,
    counter,
    host: expected.rpId,
  }
}

/**
 * Adds a factor that was proven, and ends its challenge. With the first one, it returns new recovery codes. Throws 400 for
 * a taken name or passkey and a challenge that is gone.
 */
export async function addFactor(
  { world, now, ...within }: InTransaction & { world: World; now: number },
  siloUserId: string,
  { name, challengeId, proven }: { name: string; challengeId: string; proven: Proven },
): Promise<{ factor: SecondFactorTable; codes: string[] }> {
  const { tx } = within
  if (!(await endChallenge(tx, challengeId))) throw nothingBegun()
  const former = await factorsOf(tx, siloUserId)
  if (proven.credential !== null && former.some(({ credential }) => credential === proven.credential))
    throw fault.invalidValue('proof', 'you have this passkey already')
  const identity = newIdentity({ world, now }, { name, description: '' })
  const factor = { ...identity, ...proven, siloUserId, timeLastUsed: null }
  await insertNamed({ ...within, world }, 'secondFactor', factor)
  const codes = former.length === 0 ? await replaceCodes(world, tx, siloUserId) : []
  return { factor, codes }
}

/** The challenge with this id that has not expired. Throws 400. */
export async function begunOf(tx: Tx, id: string, now: number): Promise<SignInChallengeTable> {
  const row = await tx
    .selectFrom('signInChallenge')
    .selectAll()
    .where('id', '=', id)
    .where('timeExpires', '>', now)
    .executeTakeFirst()
  if (!row) throw nothingBegun()
  return row
}

const nothingBegun = () => fault.invalid('no second factor is being added, or it took too long: begin again')
