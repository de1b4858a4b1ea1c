/** Sign-in, sign-out, and who is signed in. */
import { limits } from '@purlin/contract/rules/limits'
import { mayModifySilo, permits } from '../access.ts'
import type { Family, FreeCtx } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { oncePer } from '../once-per.ts'
import { mapPage, pageById } from '../pages.ts'
import type { Passwords } from '../ports.ts'
import { permit } from '../resolve.ts'
import { endSession, sessionCookie, startSession } from '../sessions.ts'
import { groupView } from './silo.ts'
import { createSignInLimits } from './sign-in-limits.ts'

interface Credentials {
  siloName: string
  username: string
  password: string
}

export const session: Family<'ping' | 'loginLocal' | 'logout' | 'currentUserView' | 'currentUserGroups'> = {
  ping: { free: () => Promise.resolve({ status: 'ok' as const }) },

  loginLocal: { free: (ctx, { params, body }) => signIn(ctx, { ...params, ...body }) },

  logout: {
    async free(ctx) {
      const { world, sessionToken: token } = ctx
      if (token) await world.engine.transaction('write', (tx) => endSession(world, tx, token))
      ctx.setHeader('set-cookie', sessionCookie(world, '', ctx.secure))
    },
  },

  currentUserView(ctx) {
    permit(ctx)
    const { actor } = ctx
    return Promise.resolve({
      id: actor.userId,
      displayName: actor.displayName,
      siloId: actor.siloId,
      siloName: actor.siloName,
      fleetViewer: permits(actor, 'fleet.viewer'),
      siloAdmin: mayModifySilo(actor),
    })
  },

  async currentUserGroups(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx
      .selectFrom('siloGroup')
      .selectAll()
      .where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('groupId').where('userId', '=', ctx.actor.userId),
      )
    return mapPage(await pageById(ctx, query, rows), groupView)
  },
}

async function signIn(ctx: FreeCtx, credentials: Credentials): Promise<void> {
  const { world } = ctx
  const { username, password } = credentials
  if (utf8Length(password) > limits.password.max)
    throw fault.invalidValue('password', `a password may have at most ${limits.password.max} bytes`)
  const { siloId, user } = await world.engine.transaction('read', (tx) => findAccount(tx, credentials))
  const attempt = { siloId, username, remote: ctx.remote }
  const userId = await limitsOf(world).attempt(attempt, () => verified(world.passwords, user, password))
  if (userId === null) throw fault.unauthorized()
  const token = await world.engine.transaction('write', (tx) => startSession(world, tx, userId))
  ctx.setHeader('set-cookie', sessionCookie(world, token, ctx.secure))
}

interface Account {
  id: string
  passwordHash: string | null
}

async function findAccount(
  tx: Tx,
  { siloName, username }: Credentials,
): Promise<{ siloId: string; user: Account | undefined }> {
  const silo = await tx
    .selectFrom('silo')
    .select(['id', 'identityMode'])
    .where('name', '=', siloName)
    .executeTakeFirst()
  if (!silo) throw fault.notFound('silo', siloName)
  if (silo.identityMode !== 'local_only') throw fault.notFound('identity-provider', 'local')
  const user = await tx
    .selectFrom('siloUser')
    .select(['id', 'passwordHash'])
    .where('siloId', '=', silo.id)
    .where('externalId', '=', username)
    .executeTakeFirst()
  return { siloId: silo.id, user }
}

// Who cannot sign in takes as long as who gives a wrong password: time must not tell which names exist.
async function verified(
  passwords: Passwords,
  user: Account | undefined,
  password: string,
): Promise<string | null> {
  const nobodys = await nobodysHash(passwords)
  const hash = user?.passwordHash ?? null
  const fits = await passwords.verify(hash ?? nobodys, password)
  return user && hash !== null && fits ? user.id : null
}

const nobodysHashes = new WeakMap<Passwords, Promise<string>>()
function nobodysHash(passwords: Passwords): Promise<string> {
  const known = nobodysHashes.get(passwords)
  if (known) return known
  const made = passwords.hash('nobody has this password')
  nobodysHashes.set(passwords, made)
  made.catch(() => nobodysHashes.delete(passwords))
  return made
}

const limitsOf = oncePer(createSignInLimits)

const utf8Length = (text: string): number => encodeURIComponent(text).replace(/%../g, '.').length
