/** Reads the user of a session with all roles: direct, through groups, and conferred by the silo. */
import { sql, type Compilable } from 'kysely'
import { implies, strongest, type Role, roles } from '@purlin/contract/rules/roles'
import type { Actor, CredentialScope } from '#/context.ts'
import { together } from '#/concurrency/together.ts'
import { batches } from '#/db/batches.ts'
import { prepared } from '#/db/prepared.ts'
import type { AuthMethod, GroupMemberTable, RoleAssignmentTable, TableName, Tx } from '#/db/tables.ts'
import { fleetId } from '#/db/rows/fleet.ts'
import { narrowed } from './credential-scope.ts'

/** Where what a request proves its user with is stored, each with the fingerprint of a token. */
export type CredentialTable = 'session' | 'accessToken'

const authMethodOf = {
  session: 'session_cookie',
  accessToken: 'access_token',
} as const satisfies Record<CredentialTable, AuthMethod>

export interface LoadedSession {
  actor: Actor
  /** The actor has these roles until then; Infinity if none of them expires. */
  rolesUntil: number
  timeCreated: number
  /** When it was last used; 0 for never. */
  timeLastUsed: number
  /** When an access token expires, null for never. */
  timeExpires: number | null
}

/** The tables that sessions and access tokens are read from. */
export const sessionTables = [
  'session',
  'accessToken',
  'siloUser',
  'silo',
  'groupMember',
  'roleAssignment',
] as const satisfies readonly TableName[]

/**
 * Reads sessions or access tokens, by the fingerprints of their tokens, with their users and every role that counts. Those
 * that do not exist are missing.
 */
export async function loadSessions(
  tx: Tx,
  [table, tokenHashes]: readonly [table: CredentialTable, tokenHashes: readonly string[]],
  now: number,
): Promise<Map<string, LoadedSession>> {
  const found = new Map<string, LoadedSession>()
  for (const some of batches(tokenHashes, mostInOneQuery)) {
    const size = sizes.find((one) => one >= some.length)
    if (size === undefined) throw new Error(`no query for ${some.length} tokens`)
    // The last one fills the places that are left.
    const values = Object.fromEntries(
      placesOf(size).map((place, i) => [place, some[Math.min(i, some.length - 1)] ?? '']),
    )
    const [rows, members, roles] = await together([
      selectRows(tx, values, table, size),
      selectMembers(tx, values, table, size),
      selectRoles(tx, values, table, size),
    ] as const)
    for (const [hash, session] of sessionsFrom(table, { rows, members, roles }, now)) found.set(hash, session)
  }
  return found
}

// Each of these finds its rows by the tokens, so that they are sent together, in one round trip to the database.
// The builder cannot know the columns of a table in a variable: it takes it for that of sessions.

const rowsIn = (tx: Tx, from: CredentialTable, tokenHashes: readonly string[]) => {
  const table = from as 'session'
  // Sessions have no limits, and expire by their use.
  const ofToken = <T>(column: 'timeExpires' | 'isReadOnly' | 'onlyProjectId') =>
    from === 'session' ? sql<T | null>`null` : sql<T | null>`${sql.ref(`accessToken.${column}`)}`
  return tx
    .selectFrom(table)
    .innerJoin('siloUser', 'siloUser.id', `${table}.siloUserId`)
    .innerJoin('silo', 'silo.id', 'siloUser.siloId')
    .select([`${table}.id`, `${table}.tokenHash`, `${table}.timeCreated`, `${table}.timeLastUsed`])
    .select([
      ofToken<number>('timeExpires').as('timeExpires'),
      ofToken<number>('isReadOnly').as('isReadOnly'),
    ])
    .select(ofToken<string>('onlyProjectId').as('onlyProjectId'))
    .select(['siloUser.id as userId', 'siloUser.displayName', 'siloUser.isServiceAccount'])
    .select(['silo.id as siloId', 'silo.name as siloName', 'silo.mappedFleetRolesJson'])
    .where(`${table}.tokenHash`, 'in', tokenHashes)
    .where('siloUser.timeDeactivated', 'is', null)
}

/** The groups of the users. */
const membersIn = (tx: Tx, from: CredentialTable, tokenHashes: readonly string[]) => {
  const table = from as 'session'
  return tx
    .selectFrom('groupMember')
    .innerJoin(table, `${table}.siloUserId`, 'groupMember.userId')
    .select(['groupMember.groupId', 'groupMember.userId'])
    .distinct()
    .where(`${table}.tokenHash`, 'in', tokenHashes)
}

/** The roles of the users and of their groups. */
const rolesIn = (tx: Tx, from: CredentialTable, tokenHashes: readonly string[]) => {
  const table = from as 'session'
  return tx
    .selectFrom('roleAssignment')
    .selectAll()
    .where('identityId', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select(`${table}.siloUserId as id`)
        .where(`${table}.tokenHash`, 'in', tokenHashes)
        .unionAll(membersIn(tx, from, tokenHashes).clearSelect().select('groupMember.groupId as id')),
    )
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof rowsIn>['execute']>>[number]

/** Every request is authenticated by these: queries of few sizes are built once. */
const sizes = [1, 4, 16, 64, 256]
/** The most tokens that one query looks up. */
export const mostInOneQuery = Math.max(...sizes)
const placesOf = (size: number): string[] => Array.from({ length: size }, (_, i) => `hash${i}`)

const byTokens = <R>(
  build: (tx: Tx, table: CredentialTable, tokenHashes: readonly string[]) => Compilable<R>,
) =>
  prepared<Record<string, string>, R, [table: CredentialTable, size: number]>((tx, value, [table, size]) =>
    build(tx, table, placesOf(size).map(value)),
  )
const selectRows = byTokens<SessionRow>(rowsIn)
const selectMembers = byTokens<GroupMemberTable>(membersIn)
const selectRoles = byTokens<RoleAssignmentTable>(rolesIn)

interface SessionRows {
  rows: readonly SessionRow[]
  members: readonly GroupMemberTable[]
  roles: readonly RoleAssignmentTable[]
}

function sessionsFrom(
  table: CredentialTable,
  { rows, members, roles: all }: SessionRows,
  now: number,
): Map<string, LoadedSession> {
  const groups = Map.groupBy(members, (one) => one.userId)
  const assigned = Map.groupBy(all, (one) => one.identityId)
  return new Map(
    rows.map((row) => {
      const groupIds = groups.get(row.userId)?.map((one) => one.groupId) ?? []
      const own = [row.userId, ...groupIds].flatMap((id) => assigned.get(id) ?? [])
      const counting = own.filter((one) => !isExpired(one, now))
      const { id: sessionId, tokenHash, timeCreated, timeExpires } = row
      const scope = table === 'session' ? null : scopeOf(row)
      const who = narrowed(actorFrom(row, groupIds, counting), scope)
      const actor = { ...who, sessionId, authMethod: authMethodOf[table], scope }
      // A token that was never used has no time.
      const timeLastUsed = (row.timeLastUsed as number | null) ?? 0
      return [tokenHash, { actor, rolesUntil: firstExpiry(counting), timeCreated, timeLastUsed, timeExpires }]
    }),
  )
}

const scopeOf = ({ isServiceAccount, isReadOnly, onlyProjectId }: SessionRow): CredentialScope => ({
  isKey: isServiceAccount === 1,
  isReadOnly: isReadOnly === 1,
  projectId: onlyProjectId,
})

/** True if an assignment has expired. */
export const isExpired = ({ timeExpires }: Pick<RoleAssignmentTable, 'timeExpires'>, now: number): boolean =>
  timeExpires !== null && timeExpires <= now

/** When the first of the assignments expires; Infinity if none does. */
export const firstExpiry = (assignments: readonly Pick<RoleAssignmentTable, 'timeExpires'>[]): number =>
  assignments.reduce((first, { timeExpires }) => Math.min(first, timeExpires ?? Infinity), Infinity)

/** A user or group, and what its silo confers. */
export interface Person extends Pick<Actor, 'userId' | 'siloId' | 'siloName' | 'displayName'> {
  mappedFleetRolesJson: string
}
/** The parts of an assignment that decide the roles of its holder. */
export type Assigned = Pick<RoleAssignmentTable, 'resourceType' | 'resourceId' | 'roleName'>

/** The actor with every role that the assignments, which are its own or of its groups, give it. */
export function actorFrom(
  { mappedFleetRolesJson, userId, siloId, siloName, displayName }: Person,
  groupIds: readonly string[],
  assignments: readonly Assigned[],
): Omit<Actor, 'sessionId' | 'authMethod' | 'scope'> {
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
