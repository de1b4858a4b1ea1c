/** Reads the user of a session with all roles: direct, through groups, and conferred by the silo. */
import { implies, strongest, type Role, roles } from '@purlin/contract/rules/roles'
import type { Actor } from '#/context.ts'
import { together } from '#/concurrency/together.ts'
import { prepared } from '#/db/prepared.ts'
import type { GroupMemberTable, RoleAssignmentTable, TableName, Tx } from '#/db/tables.ts'
import { fleetId } from '#/db/fleet.ts'

export interface LoadedSession {
  actor: Actor
  /** The actor has these roles until then; Infinity if none of them expires. */
  rolesUntil: number
  timeCreated: number
  timeLastUsed: number
}

/** The tables that a session is read from. */
export const sessionTables = [
  'session',
  'siloUser',
  'silo',
  'groupMember',
  'roleAssignment',
] as const satisfies readonly TableName[]

/** Reads a session's times and its user with every role that counts; null without such a session. */
export async function loadSession(tx: Tx, tokenHash: string, now: number): Promise<LoadedSession | null> {
  const hash = { hash: tokenHash }
  const read = [oneSession.rows(tx, hash), oneSession.members(tx, hash), oneSession.roles(tx, hash)] as const
  const [rows, members, roles] = await together(read)
  return sessionsFrom({ rows, members, roles }, now).get(tokenHash) ?? null
}

/** The same for several sessions, by the fingerprints of their tokens. Those that do not exist are missing. */
export async function loadSessions(
  tx: Tx,
  tokenHashes: readonly string[],
  now: number,
): Promise<Map<string, LoadedSession>> {
  const [rows, members, roles] = await together([
    rowsIn(tx, tokenHashes).execute(),
    membersIn(tx, tokenHashes).execute(),
    rolesIn(tx, tokenHashes).execute(),
  ])
  return sessionsFrom({ rows, members, roles }, now)
}

// Each of these finds its rows by the sessions, so that they are sent together, in one round trip to the database.

const rowsIn = (tx: Tx, tokenHashes: readonly string[]) =>
  tx
    .selectFrom('session')
    .innerJoin('siloUser', 'siloUser.id', 'session.siloUserId')
    .innerJoin('silo', 'silo.id', 'siloUser.siloId')
    .select(['session.id', 'session.tokenHash', 'session.timeCreated', 'session.timeLastUsed'])
    .select(['siloUser.id as userId', 'siloUser.displayName'])
    .select(['silo.id as siloId', 'silo.name as siloName', 'silo.mappedFleetRolesJson'])
    .where('session.tokenHash', 'in', tokenHashes)

/** The groups of the users. */
const membersIn = (tx: Tx, tokenHashes: readonly string[]) =>
  tx
    .selectFrom('groupMember')
    .innerJoin('session', 'session.siloUserId', 'groupMember.userId')
    .select(['groupMember.groupId', 'groupMember.userId'])
    .distinct()
    .where('session.tokenHash', 'in', tokenHashes)

/** The roles of the users and of their groups. */
const rolesIn = (tx: Tx, tokenHashes: readonly string[]) =>
  tx
    .selectFrom('roleAssignment')
    .selectAll()
    .where('identityId', 'in', (eb) =>
      eb
        .selectFrom('session')
        .select('session.siloUserId as id')
        .where('session.tokenHash', 'in', tokenHashes)
        .unionAll(membersIn(tx, tokenHashes).clearSelect().select('groupMember.groupId as id')),
    )

type SessionRow = Awaited<ReturnType<ReturnType<typeof rowsIn>['execute']>>[number]

/** Every request reads one session. */
const oneSession = {
  rows: prepared<{ hash: string }, SessionRow>((tx, value) => rowsIn(tx, [value('hash')])),
  members: prepared<{ hash: string }, GroupMemberTable>((tx, value) => membersIn(tx, [value('hash')])),
  roles: prepared<{ hash: string }, RoleAssignmentTable>((tx, value) => rolesIn(tx, [value('hash')])),
}

interface SessionRows {
  rows: readonly SessionRow[]
  members: readonly GroupMemberTable[]
  roles: readonly RoleAssignmentTable[]
}

function sessionsFrom({ rows, members, roles: all }: SessionRows, now: number): Map<string, LoadedSession> {
  const groups = Map.groupBy(members, (one) => one.userId)
  const assigned = Map.groupBy(all, (one) => one.identityId)
  return new Map(
    rows.map((row) => {
      const groupIds = groups.get(row.userId)?.map((one) => one.groupId) ?? []
      const own = [row.userId, ...groupIds].flatMap((id) => assigned.get(id) ?? [])
      const counting = own.filter((one) => !isExpired(one, now))
      const { id: sessionId, tokenHash, timeCreated, timeLastUsed } = row
      const actor = { ...actorFrom(row, groupIds, counting), sessionId }
      return [tokenHash, { actor, rolesUntil: firstExpiry(counting), timeCreated, timeLastUsed }]
    }),
  )
}

/** True if an assignment of a role counts no more. */
export const isExpired = ({ timeExpires }: Pick<RoleAssignmentTable, 'timeExpires'>, now: number): boolean =>
  timeExpires !== null && timeExpires <= now

/** When the first of the assignments expires; Infinity if none does. */
export const firstExpiry = (assignments: readonly Pick<RoleAssignmentTable, 'timeExpires'>[]): number =>
  assignments.reduce((first, { timeExpires }) => Math.min(first, timeExpires ?? Infinity), Infinity)

/** A user or group, and what its silo confers. */
export interface Person extends Pick<Actor, 'userId' | 'siloId' | 'siloName' | 'displayName'> {
  mappedFleetRolesJson: string
}
/** What of an assignment decides which roles its holder has. */
export type Assigned = Pick<RoleAssignmentTable, 'resourceType' | 'resourceId' | 'roleName'>

/** The actor with every role that the assignments, which are its own or of its groups, give it. */
export function actorFrom(
  { mappedFleetRolesJson, userId, siloId, siloName, displayName }: Person,
  groupIds: readonly string[],
  assignments: readonly Assigned[],
): Omit<Actor, 'sessionId'> {
  const held = new Map<string, Role>()
  const projectRoles = new Map<string, Role>()
  for (const { resourceType, resourceId, roleName } of assignments) {
    const [map, key] =
      resourceType === 'project' ? [projectRoles, resourceId] : [held, `${resourceType} ${resourceId}`]
    map.set(key, strongest([map.get(key), roleName]) ?? roleName)
  }
  const siloRole = held.get(`silo ${siloId}`) ?? null
  return {
    userId,
    siloId,
    siloName,
    displayName,
    groupIds,
    siloRole,
    fleetRole: strongest([held.get(`fleet ${fleetId}`), conferred(siloRole, mappedFleetRolesJson)]),
    projectRoles,
  }
}

/** The fleet role that a silo's mapping gives to a role on the silo. One for a weaker role also serves the stronger. */
export function conferred(siloRole: Role | null, mappingJson: string): Role | null {
  const mapping = JSON.parse(mappingJson) as Partial<Record<Role, Role[]>>
  return strongest(roles.filter((role) => implies(siloRole, role)).flatMap((role) => mapping[role] ?? []))
}
