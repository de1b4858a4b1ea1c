/** Signing in with a password. */
import type { ExpressionBuilder } from 'kysely'
import { limits } from '@purlin/contract/rules/limits'
import { isTooLong } from '@purlin/contract/rules/credentials/passwords'
import type { Actor, RequestContext, World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import type { Tables, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { fault } from '#/faults.ts'
import type { Passwords } from '#/ports.ts'
import { clientOf } from '../client-of.ts'
import { nextStep } from './challenges.ts'
import { knownMark, rememberBrowser } from './known-browsers.ts'
import { logAccount, logActor } from '../logged.ts'
import { sessionsOf } from '../sessions.ts'
import { signInLimitsOf } from './sign-in-limits.ts'

interface Credentials {
  siloName: string
  username: string
  password: string
}

/** Signs in a local user and sets the cookies of the new session and of the browser. Throws 400, 401, 404, 429, 503. */
export async function signIn(ctx: RequestContext, credentials: Credentials): Promise<void> {
  const { world, secure, cookieHeader } = ctx
  const { siloName, username, password } = credentials
  const sessions = sessionsOf(world)
  logAccount(ctx.logged, credentials)
  if (isTooLong(password))
    throw fault.invalidValue('password', `a password may have at most ${limits.password.max} bytes`)
  const found = await world.engine.transaction('read', (tx) => findAccount(tx, credentials))
  ctx.audit.account({ id: found.siloId, name: siloName }, found.user && { ...found.user, name: username })
  const former = markOf(ctx, found)
  const verified = await verify(ctx, credentials, { ...found, former })
  if (!verified) throw fault.unauthorized()
  const passwordHash = await rehashed(world, verified, password)
  if (found.next !== undefined)
    return beginNextStep(ctx, { credentials, found, verified, passwordHash, step: found.next })
  ctx.audit.signedIn({ id: verified.id, name: username })
  // A user who cannot sign in cannot free space either.
  const token = await evenWhileFull(() =>
    world.engine.transaction('write', (tx, pipelineWithCommit) =>
      ctx.audit.attempt({ tx, pipelineWithCommit }, async () => {
        await checkUnchanged(tx, credentials, found)
        if (passwordHash !== verified.passwordHash) await replaceHash(tx, verified, passwordHash)
        // The browser forgets the token that it sent, so that session could never be ended.
        return sessions.start(tx, verified.id, { client: ctx })
      }),
    ),
  )
  logActor(ctx.logged, { userId: verified.id, siloId: found.siloId })
  const account = { id: verified.id, passwordHash }
  ctx.cookies.push(
    sessions.cookie(token, secure),
    rememberBrowser(world, account, { cookieHeader, former, siloName, secure }),
  )
}

/** Begins the second step, for this browser. Always throws 401, which says so. */
async function beginNextStep(
  ctx: RequestContext,
  next: {
    credentials: Credentials
    found: Found
    verified: Account
    passwordHash: string
    step: 'prove' | 'add'
  },
): Promise<never> {
  const { credentials, found, verified, passwordHash, step } = next
  const { row, cookie } = nextStep(ctx, { siloName: credentials.siloName, userId: verified.id, step })
  await evenWhileFull(() =>
    ctx.world.engine.transaction('write', async (tx) => {
      await checkUnchanged(tx, credentials, found)
      if (passwordHash !== verified.passwordHash) await replaceHash(tx, verified, passwordHash)
      await insertRow(tx, 'signInChallenge', row)
    }),
  )
  throw fault.secondFactorNeeded(cookie)
}

/**
 * A sign-in takes seconds when it has to wait. Throws 401 if the password or the step after it has changed since, or the user
 * has been deactivated: what ended all sessions then must not be survived by a new one.
 */
async function checkUnchanged(tx: Tx, credentials: Credentials, { user, next }: Found): Promise<void> {
  const now = await findAccount(tx, credentials)
  if (now.user?.id !== user?.id || now.user?.passwordHash !== user?.passwordHash || now.next !== next)
    throw fault.unauthorized()
}

/** The account of a local user if the password is right; null otherwise. Throws 404, 429, 503. */
export async function verifyOwn(
  ctx: RequestContext,
  { siloName, displayName: username }: Actor,
  password: string,
): Promise<Account | null> {
  const credentials = { siloName, username, password }
  const found = await ctx.world.engine.transaction('read', (tx) => findAccount(tx, credentials))
  return verify(ctx, credentials, { ...found, former: markOf(ctx, found) })
}

/** The cookie that keeps the browser known to the account after a change of its password. */
export const rememberOwn = (
  { world, cookieHeader, secure }: RequestContext,
  { userId: id, siloName }: Actor,
  passwordHash: string,
): string =>
  rememberBrowser(world, { id, passwordHash }, { cookieHeader, former: undefined, siloName, secure })

const markOf = ({ world, cookieHeader }: RequestContext, { user }: Found): string | undefined =>
  user && knownMark(world, cookieHeader, user)

interface Account {
  id: string
  passwordHash: string
}
interface Found {
  siloId: string
  /** Undefined for an unknown user, one without a password and one who is deactivated. */
  user: Account | undefined
  /** The step after the password, if one is needed. */
  next: 'prove' | 'add' | undefined
}

async function findAccount(tx: Tx, { siloName, username }: Credentials): Promise<Found> {
  const silo = await tx
    .selectFrom('silo')
    .select(['id', 'identityMode', 'needsSecondFactor'])
    .where('name', '=', siloName)
    .executeTakeFirst()
  if (!silo) throw fault.notFound('silo', siloName)
  if (silo.identityMode !== 'local_only') throw fault.notFound('identity-provider', 'local')
  const user = await tx
    .selectFrom('siloUser')
    .select(['id', 'passwordHash'])
    .select((eb) => countFactors(eb).as('factors'))
    .where('siloId', '=', silo.id)
    .where('externalId', '=', username)
    .where('timeDeactivated', 'is', null)
    .executeTakeFirst()
  const { id, passwordHash = null, factors = 0 } = user ?? {}
  const next = Number(factors) > 0 ? 'prove' : silo.needsSecondFactor === 1 ? 'add' : undefined
  return {
    siloId: silo.id,
    user: id === undefined || passwordHash === null ? undefined : { id, passwordHash },
    next,
  }
}

const countFactors = (eb: ExpressionBuilder<Tables, 'siloUser'>) =>
  eb
    .selectFrom('secondFactor')
    .select((inner) => inner.fn.countAll<number | bigint | string>().as('factors'))
    .whereRef('secondFactor.siloUserId', '=', 'siloUser.id')

/** The account if the password is right; null otherwise. Throws 429, 503. */
async function verify(
  { world, remote }: RequestContext,
  { username, password }: Credentials,
  { siloId, user, former }: Found & { former: string | undefined },
): Promise<Account | null> {
  const { passwords } = world
  const who = { siloId, username, remote, knownMark: former }
  return signInLimitsOf(world).attempt(who, async () => {
    // An unknown user takes as long as a wrong password: timing must not reveal which names exist.
    const decoy = await decoyHash(passwords)
    const first = former !== undefined
    const fits = await passwords.verify(user?.passwordHash ?? decoy, password, {
      first,
      client: clientOf(remote),
    })
    return user && fits ? user : null
  })
}

/** The hash of an account's password with today's parameters, or the present one if that cannot be made now. */
async function rehashed(
  { passwords, log }: World,
  { passwordHash }: Account,
  password: string,
): Promise<string> {
  if (!passwords.isOutdated(passwordHash)) return passwordHash
  return passwords.hash(password).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'password not hashed again')
    return passwordHash
  })
}

// A password that was changed since stays.
async function replaceHash(tx: Tx, { id, passwordHash: former }: Account, passwordHash: string) {
  await tx
    .updateTable('siloUser')
    .set({ passwordHash })
    .where('id', '=', id)
    .where('passwordHash', '=', former)
    .execute()
}

const decoyHashes = new WeakMap<Passwords, Promise<string>>()
function decoyHash(passwords: Passwords): Promise<string> {
  const known = decoyHashes.get(passwords)
  if (known) return known
  const made = passwords.hash('no user has this password')
  decoyHashes.set(passwords, made)
  made.catch(() => decoyHashes.delete(passwords))
  return made
}
