/** A caller in each of the eleven roles, a SCIM client, and keys with limits, at home and away. */
import type { Role } from '@purlin/contract/rules/roles'
import { issueAccessToken, sessionsOf } from '#/auth/sessions.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { insertRow } from '#/db/prepared.ts'
import type { AccessTokenTable, RoleAssignmentTable, TaskTable, Tx } from '#/db/tables.ts'
import { insertChild } from '#/resources/kind/rows.ts'
import { createUser, grant } from '#/seed/rows.ts'
import { inDb } from '../networks/networks.ts'
import { createOwn, ownTokenId } from '../requests.ts'
import type { TestWorld } from '../world.ts'
import { withoutRequest } from '#/context.ts'

const ranks: Role[] = ['viewer', 'collaborator', 'admin']
const words: Record<Role, string> = { viewer: 'viewer', collaborator: 'coll', admin: 'admin' }
const levels = { project: 'P', silo: 'S', fleet: 'F' } as const
type Level = keyof typeof levels

/** As the sheet of authorization names them; the first has no session, the second no role. */
export const roleNames = [
  'no session',
  'SCIM client',
  'no role',
  ...Object.values(levels).flatMap((letter) => ranks.map((rank) => `${letter}-${words[rank]}`)),
  'read-only key',
  'project key',
]

/**
 * The cookies of a caller of each role. At home the role is on what `createFixtures` made. Away it is on another project
 * of the same silo, on another silo, or held by a user of another silo.
 */
export async function createCallers(
  w: TestWorld,
  place: 'home' | 'away',
): Promise<Map<string, Record<string, string>>> {
  const { acme = '', other = '', demo = '' } = w.ids
  const elsewhere = place === 'home' ? demo : await anotherProject(w)
  const silo = place === 'home' ? acme : other
  const callers = new Map<string, Record<string, string>>([['no session', {}]])
  callers.set('SCIM client', await scimClient(w, silo))
  const add = async (role: string, siloId: string, on?: { type: Level; id: string; rank: Role }) => {
    const name = `${place}-${role.toLowerCase().replaceAll(' ', '-')}`
    const cookie = await inDb(w, async (tx) => {
      const id = await createUser(w.world, tx, { siloId, name, passwordHash: 'plain:role-password' })
      if (on)
        await grant(tx, {
          resourceType: on.type,
          resourceId: on.id,
          identityType: 'silo_user',
          identityId: id,
          roleName: on.rank,
        })
      const mine = { id: w.world.ids.uuid(), name: 'mine', description: '', siloUserId: id }
      const key = { ...mine, publicKey: '' }
      const times = { timeCreated: w.clock.now(), timeModified: w.clock.now() }
      await insertChild({ ...withoutRequest(tx), world: w.world }, 'sshKey', { ...key, ...times })
      await insertChild({ ...withoutRequest(tx), world: w.world }, 'secondFactor', {
        ...mine,
        ...times,
        ...appOf('JBSWY3DPEHPK3PXP'),
      })
      const token = { id: ownTokenId, tokenHash: `token of ${name}`, siloUserId: id }
      await tx
        .insertInto('accessToken')
        .values({ ...token, timeCreated: w.clock.now(), timeExpires: null })
        .execute()
      if (place === 'home' && w.ids['task'] !== undefined)
        await insertRow(tx, 'task', endedTask({ id: w.ids['task'], userId: id, at: w.clock.now() }))
      const begun = await sessionsOf(w.world).start(tx, id)
      if (place === 'home' && w.ids['signInTest'] !== undefined) await addTest(w, tx, id)
      return `session=${begun}`
    })
    callers.set(role, { cookie })
    await createOwn(w, cookie)
  }
  const admins = [
    { resourceType: 'silo', resourceId: silo },
    { resourceType: 'fleet', resourceId: fleetId },
  ] as const
  callers.set('read-only key', await keyHolder(w, { siloId: silo, roles: admins, isReadOnly: 1 }))
  const ofAcme = [{ resourceType: 'silo', resourceId: acme }] as const
  callers.set('project key', await keyHolder(w, { siloId: acme, roles: ofAcme, onlyProjectId: elsewhere }))
  await add('no role', silo)
  for (const rank of ranks) {
    await add(`P-${words[rank]}`, acme, { type: 'project', id: elsewhere, rank })
    await add(`S-${words[rank]}`, silo, { type: 'silo', id: silo, rank })
    await add(`F-${words[rank]}`, silo, { type: 'fleet', id: fleetId, rank })
  }
  return callers
}

/** The columns of an app with one-time codes that has not been used. */
const appOf = (secret: string) => ({
  type: 'totp' as const,
  secret,
  lastStep: 0,
  timeLastUsed: null,
  credential: null,
  publicKey: null,
  counter: null,
  host: null,
})

/** The headers of the program that manages the users of a silo. */
export async function scimClient(w: TestWorld, siloId: string): Promise<Record<string, string>> {
  const id = w.world.ids.uuid()
  const token = `purlin-scim-${id}`
  const row = { id, siloId, tokenHash: w.world.passwords.fingerprint(token), timeCreated: w.clock.now() }
  await inDb(w, (tx) =>
    // Used just now, so that no use is stored while tests compare what is stored.
    tx
      .insertInto('scimToken')
      .values({ ...row, timeLastUsed: w.clock.now() })
      .execute(),
  )
  return { authorization: `Bearer ${token}` }
}

interface KeyHolder extends Partial<Pick<AccessTokenTable, 'isReadOnly' | 'onlyProjectId'>> {
  siloId: string
  /** Where the account is an admin. */
  roles: readonly Pick<RoleAssignmentTable, 'resourceType' | 'resourceId'>[]
}

/** The headers of a program with the key of a service account. */
async function keyHolder(
  w: TestWorld,
  { siloId, roles, isReadOnly = null, onlyProjectId = null }: KeyHolder,
): Promise<Record<string, string>> {
  const label = 'key'
  const { token } = await inDb(w, async (tx) => {
    const name = `service-account:${w.world.ids.uuid()}`
    const id = await createUser(w.world, tx, { siloId, name, passwordHash: null })
    await tx.updateTable('siloUser').set({ isServiceAccount: 1 }).where('id', '=', id).execute()
    for (const role of roles)
      await grant(tx, { ...role, identityType: 'silo_user', identityId: id, roleName: 'admin' })
    const key = { label, isReadOnly, onlyProjectId }
    const issued = await issueAccessToken(w.world, tx, { siloUserId: id, ttl: 1e6, key })
    // As above.
    const used = { timeLastUsed: w.clock.now() }
    await tx.updateTable('accessToken').set(used).where('id', '=', issued.id).execute()
    return issued
  })
  return { authorization: `Bearer ${token}` }
}

/** A test of an identity provider that waits. Tests are found with their users, as tasks are. */
async function addTest({ ids, clock }: TestWorld, tx: Tx, siloUserId: string): Promise<void> {
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('siloUserId', '=', siloUserId)
    .executeTakeFirstOrThrow()
  await insertRow(tx, 'signInTest', {
    id: ids['signInTest'] ?? '',
    requestId: `_request of ${siloUserId}`,
    providerId: ids['provider'] ?? '',
    siloUserId,
    sessionId: session.id,
    timeCreated: clock.now(),
    timeExpires: clock.now() + 1e12,
    outcomeJson: null,
  })
}

/** A task of one item, which has failed. Tasks are found with their users: each caller has one with the same id. */
const endedTask = ({ id, userId, at }: Pick<TaskTable, 'id' | 'userId' | 'at'>): TaskTable => ({
  id,
  userId,
  at,
  sessionId: '',
  authMethod: null,
  remote: '',
  kind: 'instance',
  action: 'stop',
  groupId: null,
  namePattern: null,
  tagsJson: null,
  retryOf: null,
  scheduleId: null,
  state: 'completed',
  total: 1,
  leaseUntil: 0,
  timeStarted: at,
  timeEnded: at,
  countsJson: null,
  message: null,
})

async function anotherProject(w: TestWorld): Promise<string> {
  return (await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })).id
}
