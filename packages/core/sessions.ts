/** Sessions: a cookie with 160 random bits, of which only the fingerprint is stored. */
import { implies, strongest, type Role, roles } from '@purlin/contract/rules/roles'
import type { Actor } from './access.ts'
import type { World } from './context.ts'
import { traced } from './db/engine.ts'
import type { Tx } from './db/tables.ts'
import { fault } from './faults.ts'
import { fleetId } from './fleet.ts'

const cookieName = 'session'
// The idle clock is stored no more often than this; reads stay reads.
const renewMs = 60_000

const hex = (data: Uint8Array) => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The session cookie that sets (or, with an empty token, clears) a session. */
export function sessionCookie(world: World, token: string, secure: boolean): string {
  const age = token ? Math.floor(world.sessions.absoluteMs / 1000) : 0
  return `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure ? '; Secure' : ''}`
}

/** The token in a Cookie header, or null. */
export function tokenOf(cookieHeader: string | null): string | null {
  for (const part of cookieHeader?.split(';') ?? []) {
    const [name, value] = part.trim().split('=')
    if (name === cookieName) return value ?? ''
  }
  return null
}

/** Starts a session and returns its token, 40 hex characters. */
export async function startSession(world: World, tx: Tx, siloUserId: string): Promise<string> {
  const token = hex(world.ids.bytes(20))
  const now = world.clock.now()
  const row = {
    id: world.ids.uuid(),
    tokenHash: world.passwords.fingerprint(token),
    siloUserId,
    timeCreated: now,
    timeLastUsed: now,
  }
  await tx.insertInto('session').values(row).execute()
  return token
}

export async function endSession(world: World, tx: Tx, token: string): Promise<void> {
  await tx.deleteFrom('session').where('tokenHash', '=', world.passwords.fingerprint(token)).execute()
}

interface Live {
  actor: Actor
  timeCreated: number
  timeLastUsed: number
}

/** Who presents a token. Remembers actors as long as nothing that made them has changed. */
export function createAuthenticator(world: World): (token: string) => Promise<Actor> {
  const remembered = new Map<string, { live: Live; fresh: () => boolean }>()

  async function live(hash: string): Promise<Live | null> {
    const known = remembered.get(hash)
    if (known?.fresh()) return known.live
    remembered.delete(hash)
    const loaded = await traced(world.engine, (reads) =>
      world.engine.transaction('read', (tx) => loadLive(tx, hash), reads),
    )
    if (loaded.value && loaded.fresh) {
      if (remembered.size > 10_000) remembered.clear()
      remembered.set(hash, { live: loaded.value, fresh: loaded.fresh })
    }
    return loaded.value
  }

  return async (token) => {
    const hash = world.passwords.fingerprint(token)
    const found = await live(hash)
    if (!found) throw fault.unauthorized()
    const now = world.clock.now()
    const { idleMs, absoluteMs } = world.sessions
    if (now - found.timeLastUsed > idleMs || now - found.timeCreated > absoluteMs) {
      await world.engine.transaction('write', (tx) =>
        tx.deleteFrom('session').where('tokenHash', '=', hash).execute(),
      )
      throw fault.unauthorized()
    }
    if (now - found.timeLastUsed > renewMs) {
      found.timeLastUsed = now
      const renew = (tx: Tx) =>
        tx.updateTable('session').set({ timeLastUsed: now }).where('tokenHash', '=', hash).execute()
      world.engine
        .transaction('write', renew)
        .catch((error: unknown) => world.log.warn({ error: String(error) }, 'session not renewed'))
    }
    return found.actor
  }
}

async function loadLive(tx: Tx, hash: string): Promise<Live | null> {
  const row = await tx
    .selectFrom('session')
    .innerJoin('siloUser', 'siloUser.id', 'session.siloUserId')
    .innerJoin('silo', 'silo.id', 'siloUser.siloId')
    .select(['session.id', 'session.timeCreated', 'session.timeLastUsed', 'siloUser.id as userId'])
    .select([
      'siloUser.displayName',
      'silo.id as siloId',
      'silo.name as siloName',
      'silo.mappedFleetRolesJson',
    ])
    .where('session.tokenHash', '=', hash)
    .executeTakeFirst()
  if (!row) return null
  const groups = await tx
    .selectFrom('groupMember')
    .select('groupId')
    .where('userId', '=', row.userId)
    .execute()
  const groupIds = groups.map((group) => group.groupId)
  const held = await tx
    .selectFrom('roleAssignment')
    .selectAll()
    .where('identityId', 'in', [row.userId, ...groupIds])
    .execute()
  const roleOn = (type: string, id: string) =>
    strongest(
      held.filter((one) => one.resourceType === type && one.resourceId === id).map((one) => one.roleName),
    )
  const siloRole = roleOn('silo', row.siloId)
  const projects = new Set(held.filter((one) => one.resourceType === 'project').map((one) => one.resourceId))
  const actor: Actor = {
    userId: row.userId,
    siloId: row.siloId,
    siloName: row.siloName,
    displayName: row.displayName,
    sessionId: row.id,
    groupIds,
    siloRole,
    fleetRole: strongest([roleOn('fleet', fleetId), conferred(siloRole, row.mappedFleetRolesJson)]),
    projectRoles: new Map([...projects].map((id) => [id, roleOn('project', id) as Role])),
  }
  return { actor, timeCreated: row.timeCreated, timeLastUsed: row.timeLastUsed }
}

// A mapping for a weaker silo role also serves the stronger ones.
function conferred(siloRole: Role | null, mappingJson: string): Role | null {
  const mapping = JSON.parse(mappingJson) as Partial<Record<Role, Role[]>>
  return strongest(roles.filter((role) => implies(siloRole, role)).flatMap((role) => mapping[role] ?? []))
}
