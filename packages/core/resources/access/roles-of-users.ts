/** The roles of users on their silo as lists have them: those that the policy gives to the users themselves. */
import { roleRank, roles, strongest, type Role } from '@purlin/contract/rules/roles'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Ctx } from '#/context.ts'
import type { Tables } from '#/db/tables.ts'
import { readPolicy } from './policies.ts'

type Users = SelectQueryBuilder<Tables, 'siloUser', object>

/** Users of a silo for a list, with the columns of roles if it can need them. A policy is short, so it is read first. */
export async function withRoles(
  ctx: Ctx,
  users: Users,
  { siloId, query }: { siloId: string; query: PageQuery },
): Promise<Users> {
  const { sortBy, find, filter, total } = query
  if (!sortBy?.startsWith('role_') && !find && !filter && !total) return users
  const { roleAssignments } = await readPolicy(ctx, { type: 'silo', id: siloId })
  const held = new Map<string, Role | null>()
  for (const { identityId, roleName } of roleAssignments)
    held.set(identityId, strongest([held.get(identityId), roleName]))
  const holders = Map.groupBy(held.keys(), (id) => held.get(id))
  const byRole = (valueOf: (role: Role) => string, none: string): RawBuilder<string> => {
    const cases = roles.flatMap((role) => {
      const ids = holders.get(role)
      return ids
        ? [sql`when ${sql.ref('siloUser.id')} in (${sql.join(ids)}) then ${sql.lit(valueOf(role))}`]
        : []
    })
    return cases.length === 0
      ? sql`${sql.lit(none)}`
      : sql`case ${sql.join(cases, sql` `)} else ${sql.lit(none)} end`
  }
  const withColumns = users
    .selectAll('siloUser')
    .select([
      byRole((role) => role, 'none').as('siloRole'),
      byRole((role) => String(roleRank(role)), String(roles.length)).as('siloRoleRank'),
    ])
  return ctx.tx.selectFrom(withColumns.as('siloUser'))
}
