/** Reads the user of a session with all roles: direct, through groups, and conferred by the silo. */
import { implies, strongest, type Role, roles } from '@purlin/contract/rules/roles'
import type { Actor } from '#/context.ts'
import { together } from '#/concurrency/together.ts'
import { prepared } from '#/db/prepared.ts'
import type { GroupMemberTable, RoleAssignmentTable, TableName, Tx } from '#/db/tables.ts'
import { fleetId } from '#/db/fleet.ts'

export interface LoadedSession {
  actor: Actor
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
export async function loadSession(tx: Tx, tokenHash: string): Promise<LoadedSession | null> {
  const hash = { hash: tokenHash }
  const read = [oneSession.rows(tx, hash), oneSession.members(tx, hash), oneSession.roles(tx, hash)] as const
  const [rows, members, roles] = await together(read)
  return sessionsFrom({ rows, members, roles }).get(tokenHash) ?? null
}

/** The same for several sessions, by the fingerprints of their tokens. Those that do not exist are missing. */
export async function loadSessions(
  tx: Tx,
  tokenHashes: readonly string[],
): Promise<Map<string, LoadedSession>> {
  const [rows, members, roles] = await together([
    rowsIn(tx, tokenHashes).execute(),
    membersIn(tx, tokenHashes).execute(),
    rolesIn(tx, tokenHashes).execute(),
  ])
  return sessionsFrom({ rows, members, roles })
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

function sessionsFrom({
  rows,
  members,
  roles: all,
}: {
  rows: readonly SessionRow[]
  members: readonly GroupMemberTable[]
  roles: readonly RoleAssignmentTable[]
}): Map<string, LoadedSession> {
  return new Map(
    rows.map((row) => {
      const groupIds = members.filter((one) => one.userId === row.userId).map((one) => one.groupId)
      const own = all.filter((one) => [row.userId, ...groupIds].includes(one.identityId))
      const { tokenHash, timeCreated, timeLastUsed } = row
      return [tokenHash, { actor: actorFrom(row, groupIds, own), timeCreated, timeLastUsed }]
    }),
  )
}

interface UserRow extends Pick<Actor, 'userId' | 'siloId' | 'siloName' | 'displayName'> {
  /** of the session */
  id: string
  mappedFleetRolesJson: string
}

function actorFrom(
  { id: sessionId, mappedFleetRolesJson, userId, siloId, siloName, displayName }: UserRow,
  groupIds: readonly string[],
  assignments: readonly RoleAssignmentTable[],
): Actor {
  const roleOn = (type: string, id: string) =>
    strongest(
      assignments
        .filter((one) => one.resourceType === type && one.resourceId === id)
        .map((one) => one.roleName),
    )
  const siloRole = roleOn('silo', siloId)
  const projects = new Set(
    assignments.filter((one) => one.resourceType === 'project').map((one) => one.resourceId),
  )
  return {
    userId,
    siloId,
    siloName,
    displayName,
    sessionId,
    groupIds,
    siloRole,
    fleetRole: strongest([roleOn('fleet', fleetId), conferred(siloRole, mappedFleetRolesJson)]),
    projectRoles: new Map([...projects].map((id) => [id, roleOn('project', id) as Role])),
  }
}

/** The fleet role that a silo's mapping gives to a role on the silo. One for a weaker role also serves the stronger. */
export function conferred(siloRole: Role | null, mappingJson: string): Role | null {
  const mapping = JSON.parse(mappingJson) as Partial<Record<Role, Role[]>>
  return strongest(roles.filter((role) => implies(siloRole, role)).flatMap((role) => mapping[role] ?? []))
}
