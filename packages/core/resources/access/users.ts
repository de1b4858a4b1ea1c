/** Users as administrators see them. */
import { noteDeleted, noteMade } from '#/audit/touched.ts'
import { permits } from '#/auth/access.ts'
import { keepingAdmins } from '#/auth/admins.ts'
import { checkDirectoryRoom } from '#/auth/directory-room.ts'
import { permit, resolveInFleet, resolveUser } from '#/auth/resolve.ts'
import { checkNewPassword } from '#/auth/sign-in/new-passwords.ts'
import { permitRecent } from '#/auth/recent-session.ts'
import { endAllOf, endSession, sessionsOf } from '#/auth/sessions.ts'
import type { Ctx, Family, RequestContext } from '#/context.ts'
import { mapPage, pageById, pageByKey } from '#/db/lists/pages.ts'
import {
  addPrincipalWords,
  forgetPrincipalWords,
  principalsFound,
  unmanagedUser,
} from '#/db/rows/principals.ts'
import { insertRow } from '#/db/prepared.ts'
import { forgetTallies } from '#/db/rows/tallies.ts'
import type { SiloTable, SiloUserTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { builtinUsers } from './builtin-users.ts'
import { removeFactors } from './second-factors/factors.ts'
import { checkSignInsOfUsers, userView } from '../silos/silos.ts'
import { withRoles } from './roles-of-users.ts'
import { groupOf, localSilo, permitAs, personOf, userOf } from './local/silo.ts'

type Password = { mode: 'password'; value: string } | { mode: 'login_disallowed' }

export const users: Family<
  | 'userSessionList'
  | 'userSessionDelete'
  | 'userLogout'
  | 'siloUserList'
  | 'siloUserView'
  | 'userBuiltinList'
  | 'userBuiltinView'
  | 'localIdpUserCreate'
  | 'localIdpUserDelete'
  | 'localIdpUserSetPassword'
  | 'localIdpUserResetSecondFactor'
> = {
  async userSessionList(ctx, { params, query }) {
    const user = await resolveUser(ctx, params.userId)
    const { timeCreated, timeLastUsed } = sessionsOf(ctx.world).oldest()
    const rows = ctx.tx
      .selectFrom('session')
      .where('siloUserId', '=', user.id)
      .where('timeCreated', '>=', timeCreated)
      .where('timeLastUsed', '>=', timeLastUsed)
    const page = await pageById(ctx, query, { rows, table: 'session' })
    return mapPage(page, (row) => ({
      id: row.id,
      timeCreated: new Date(row.timeCreated),
      timeLastUsed: new Date(row.timeLastUsed),
      address: row.address,
      userAgent: row.userAgent,
      current: row.id === ctx.actor.sessionId,
    }))
  },

  async userSessionDelete(ctx, { params }) {
    const user = await resolveUser(ctx, params.userId)
    const id = params.sessionId.toLowerCase()
    if (!(await endSession(ctx.tx, { userId: user.id, id })))
      throw fault.notFound('session', params.sessionId)
    ctx.wake('tasks')
  },

  async userLogout(ctx, { params }) {
    const user = await resolveUser(ctx, params.userId)
    await endAllOf(ctx.tx, user)
    ctx.wake('tasks')
  },

  async siloUserList(ctx, { query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    checkSignInsOfUsers(ctx, silo.id, query)
    let rows = ctx.tx.selectFrom('siloUser').where('siloId', '=', silo.id)
    if (query.group !== undefined) {
      const group = await groupOf(ctx, silo, query.group)
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('userId').where('groupId', '=', group.id),
      )
    }
    if (query.find) rows = rows.where('id', 'in', principalsFound(ctx.tx, silo.id, query.find))
    const users = await withRoles(ctx, rows, { siloId: silo.id, query })
    return mapPage(await pageById(ctx, query, { rows: users, table: 'siloUser' }), userView(ctx))
  },

  async siloUserView(ctx, { params, query }) {
    const silo = await resolveInFleet(ctx, 'silo', query.silo)
    return userView(ctx)(await userOf(ctx, silo, params.userId))
  },

  userBuiltinList(ctx, { query }) {
    permit(ctx)
    return Promise.resolve(pageByKey(ctx, query, { items: builtinUsers, keyOf: ({ name }) => name }))
  },

  userBuiltinView(ctx, { params }) {
    const requested = params.user.toLowerCase()
    const user =
      permits(ctx.actor, 'fleet.viewer') &&
      builtinUsers.find(({ id, name }) => [id, name].includes(requested))
    if (!user) throw fault.notFound('user-builtin', params.user)
    permit(ctx)
    return Promise.resolve(user)
  },

  localIdpUserCreate: {
    async withoutTransaction(request, { query, body }) {
      await request.transaction('read', (ctx) => localSilo(ctx, query))
      const passwordHash = await hashOf(request, body.password, body.externalId)
      return request.transaction('write', async (ctx) => {
        const silo = await localSilo(ctx, query)
        return userView(ctx)(await insertUser(ctx, silo, { name: body.externalId, passwordHash }))
      })
    },
  },

  async localIdpUserDelete(ctx, { params, query }) {
    const silo = await localSilo(ctx, query)
    const user = await personOf(ctx, silo, params.userId)
    await keepingAdmins(ctx, silo.id, () => deleteUser(ctx, user))
  },

  localIdpUserSetPassword: {
    async withoutTransaction(request, { params, query, body }) {
      const { externalId } = await request.transaction('read', async (ctx) =>
        personOf(ctx, await localSilo(ctx, query), params.userId),
      )
      const passwordHash = await hashOf(request, body, externalId)
      await request.transaction('write', async (ctx) => {
        const silo = await localSilo(ctx, query)
        const user = await personOf(ctx, silo, params.userId)
        await permitAsUser(ctx, user)
        await keepingAdmins(ctx, silo.id, () => setPassword(ctx, user, passwordHash))
      })
    },
  },

  async localIdpUserResetSecondFactor(ctx, { params, query }) {
    const user = await personOf(ctx, await localSilo(ctx, query), params.userId)
    await permitAsUser(ctx, user)
    await removeFactors(ctx, user.id)
  },
}

/** Refuses an old session and an access token to change what their own user signs in with, and what `permitAs` refuses. Throws 403. */
async function permitAsUser(ctx: Ctx, user: SiloUserTable): Promise<void> {
  if (user.id === ctx.actor.userId) await permitRecent(ctx)
  await permitAs(ctx, user)
}

/** The hash of a new password, null for none. Throws 400 for one that is refused. */
async function hashOf(
  { world }: RequestContext,
  password: Password,
  username: string,
): Promise<string | null> {
  if (password.mode === 'login_disallowed') return null
  await checkNewPassword(world, { password: password.value, username }, 'password')
  return world.passwords.hash(password.value)
}

async function insertUser(
  { tx, unit, world, now }: Ctx,
  silo: SiloTable,
  { name, passwordHash }: { name: string; passwordHash: string | null },
): Promise<SiloUserTable> {
  const times = { timeCreated: now, timeModified: now }
  const row = {
    id: world.ids.uuid(),
    siloId: silo.id,
    externalId: name,
    displayName: name,
    passwordHash,
    ...unmanagedUser,
    ...times,
  }
  const taken = await tx
    .selectFrom('siloUser')
    .select('id')
    .where('siloId', '=', silo.id)
    .where('externalId', '=', name)
    .executeTakeFirst()
  if (taken) throw fault.exists('silo-user', name)
  await checkDirectoryRoom(world, tx, { siloId: silo.id, users: 1 })
  await insertRow(tx, 'siloUser', row)
  noteMade(unit, 'siloUser', row)
  await addPrincipalWords(tx, [row])
  return row
}

/** A change of a password ends all sessions of the user except the one that changes it. */
async function setPassword({ tx, now, actor }: Ctx, { id }: SiloUserTable, passwordHash: string | null) {
  await tx.updateTable('siloUser').set({ passwordHash, timeModified: now }).where('id', '=', id).execute()
  await endAllOf(tx, { id }, actor.sessionId)
}

/** Deletes a user and everything that only this user has. The resources that the user created stay. */
export async function deleteUser(
  { tx, unit }: Ctx,
  user: Pick<SiloUserTable, 'id' | 'displayName'>,
): Promise<void> {
  const { id } = user
  const keys = tx.selectFrom('sshKey').select('id').where('siloUserId', '=', id)
  await tx.deleteFrom('instanceSshKey').where('sshKeyId', 'in', keys).execute()
  await tx.deleteFrom('sshKey').where('siloUserId', '=', id).execute()
  await tx.deleteFrom('listView').where('userId', '=', id).execute()
  for (const table of ['secondFactor', 'recoveryCode', 'firstSteps'] as const)
    await tx.deleteFrom(table).where('siloUserId', '=', id).execute()
  await forgetTallies(tx, { id })
  await endAllOf(tx, user)
  await tx.deleteFrom('groupMember').where('userId', '=', id).execute()
  await tx.deleteFrom('roleAssignment').where('identityId', '=', id).execute()
  await forgetPrincipalWords(tx, id)
  await tx.deleteFrom('principalKey').where('principalId', '=', id).execute()
  await tx.deleteFrom('siloUser').where('id', '=', id).execute()
  noteDeleted(unit, 'siloUser', user)
}
