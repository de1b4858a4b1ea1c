/** Silos with local users, and their users and groups, in the operations of administrators on them. */
import { implies } from '@purlin/contract/rules/roles'
import { noteTarget } from '#/audit/touched.ts'
import { actorsOf } from '#/auth/people.ts'
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx } from '#/context.ts'
import type { SiloGroupTable, SiloTable, SiloUserTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** The silo that an operation on its local users is about. Throws 403, 404. */
export async function localSilo(ctx: Ctx, { silo }: { silo: string }): Promise<SiloTable> {
  const row = await resolveInFleet(ctx, 'silo', silo)
  if (row.identityMode !== 'local_only') throw fault.notFound('identity-provider', 'local')
  return row
}

/** A user of a silo, whom the operation is about. Throws 404. */
export async function userOf(ctx: Ctx, silo: Pick<SiloTable, 'id'>, userId: string): Promise<SiloUserTable> {
  const [user] = await usersOf(ctx, silo, [userId])
  if (!user) throw fault.notFound('silo-user', userId)
  return user
}

/** A local user who signs in, which no service account does. Throws 404. */
export async function personOf(
  ctx: Ctx,
  silo: Pick<SiloTable, 'id'>,
  userId: string,
): Promise<SiloUserTable> {
  const user = await userOf(ctx, silo, userId)
  if (user.isServiceAccount !== null) throw fault.notFound('silo-user', userId)
  return user
}

/** Users of a silo, whom the operation is about. Throws 404 if one of them is missing. */
export async function usersOf(
  { tx, unit }: Ctx,
  silo: Pick<SiloTable, 'id'>,
  userIds: readonly string[],
): Promise<SiloUserTable[]> {
  if (userIds.length === 0) return []
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const users = await tx
    .selectFrom('siloUser')
    .selectAll()
    .where('id', 'in', ids)
    .where('siloId', '=', silo.id)
    .execute()
  const missing = ids.find((id) => !users.some((user) => user.id === id))
  if (missing !== undefined) throw fault.notFound('silo-user', missing)
  for (const user of users) noteTarget(unit, 'siloUser', user)
  return users
}

/** A group of a silo, which the operation is about. Throws 404. */
export async function groupOf(
  { tx, unit }: Ctx,
  silo: Pick<SiloTable, 'id'>,
  groupId: string,
): Promise<SiloGroupTable> {
  const group = await tx
    .selectFrom('siloGroup')
    .selectAll()
    .where('id', '=', groupId.toLowerCase())
    .where('siloId', '=', silo.id)
    .executeTakeFirst()
  if (!group) throw fault.notFound('silo-group', groupId)
  noteTarget(unit, 'siloGroup', group)
  return group
}

/** Refuses a caller who could get or give a stronger role on the fleet as this user or group. Throws 403. */
export async function permitAs(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const [person] = await actorsOf(ctx, [id])
  const role = person?.actor.fleetRole
  if (role && !implies(ctx.actor.fleetRole, role)) throw fault.forbidden()
}
