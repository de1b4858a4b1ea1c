/** Users and groups as the actors that they would be, with the assignments that their roles come from. */
import { together } from '#/concurrency/together.ts'
import type { Actor, Ctx } from '#/context.ts'
import type { RoleAssignmentTable, Tx } from '#/db/tables.ts'
import { actorFrom, firstExpiry, isExpired, type Person as PersonRow } from './actors.ts'

/** A user or group with every assignment that counts, its own and those of its groups. */
export interface Person {
  id: string
  identityType: 'silo_user' | 'silo_group'
  row: PersonRow
  groups: readonly { id: string; displayName: string }[]
  assignments: readonly RoleAssignmentTable[]
  /** When the first of these assignments expires, ms since 1970; Infinity if none does. */
  rolesUntil: number
  /** Decides like that of a request. */
  actor: Actor
}

/**
 * The users and groups with these ids, in the order of the ids, with their assignments on all resources or only on
 * some. Those that do not exist are missing.
 */
export async function actorsOf(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  ids: readonly string[],
  resourceIds?: readonly string[],
): Promise<Person[]> {
  if (ids.length === 0) return []
  const [users, groups, members, assigned] = await together([
    identitiesIn(tx, 'siloUser', ids),
    identitiesIn(tx, 'siloGroup', ids),
    membershipsOf(tx, ids),
    assignmentsOf(tx, ids, resourceIds),
  ])
  const rows = new Map([...users, ...groups].map((row) => [row.id, row]))
  const isUser = new Set(users.map(({ id }) => id))
  const memberOf = Map.groupBy(members, (one) => one.userId)
  const byIdentity = Map.groupBy(assigned, (one) => one.identityId)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const own = memberOf.get(id)?.map(({ groupId, displayName }) => ({ id: groupId, displayName })) ?? []
    const assignments = [id, ...own.map((group) => group.id)]
      .flatMap((one) => byIdentity.get(one) ?? [])
      .filter((one) => !isExpired(one, now))
    const person = {
      id,
      identityType: isUser.has(id) ? ('silo_user' as const) : ('silo_group' as const),
      row: { ...row, userId: id },
      groups: own,
      assignments,
      rolesUntil: firstExpiry(assignments),
    }
    return [{ ...person, actor: actorWith(person, assignments) }]
  })
}

/** The actor that someone would be with these assignments only. */
export const actorWith = (
  { row, groups }: Pick<Person, 'row' | 'groups'>,
  assignments: readonly Pick<RoleAssignmentTable, 'resourceType' | 'resourceId' | 'roleName'>[],
): Actor => ({
  ...actorFrom(
    row,
    groups.map(({ id }) => id),
    assignments,
  ),
  sessionId: '',
  authMethod: null,
  scope: null,
})

const identitiesIn = (tx: Tx, table: 'siloUser' | 'siloGroup', ids: readonly string[]) =>
  tx
    .selectFrom(table)
    .innerJoin('silo', 'silo.id', `${table}.siloId`)
    .select([`${table}.id`, `${table}.displayName`])
    .select(['silo.id as siloId', 'silo.name as siloName', 'silo.mappedFleetRolesJson'])
    .where(`${table}.id`, 'in', ids)
    .execute()

const membershipsOf = (tx: Tx, ids: readonly string[]) =>
  tx
    .selectFrom('groupMember')
    .innerJoin('siloGroup', 'siloGroup.id', 'groupMember.groupId')
    .select(['groupMember.userId', 'groupMember.groupId', 'siloGroup.displayName'])
    .where('groupMember.userId', 'in', ids)
    .orderBy('siloGroup.displayName')
    .execute()

function assignmentsOf(
  tx: Tx,
  ids: readonly string[],
  resourceIds: readonly string[] | undefined,
): Promise<RoleAssignmentTable[]> {
  if (resourceIds?.length === 0) return Promise.resolve([])
  const all = tx
    .selectFrom('roleAssignment')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('identityId', 'in', ids),
        eb(
          'identityId',
          'in',
          eb.selectFrom('groupMember').select('groupMember.groupId').where('groupMember.userId', 'in', ids),
        ),
      ]),
    )
  return (resourceIds ? all.where('resourceId', 'in', resourceIds) : all).execute()
}
