/** The names of users and groups in policies, of any silo. */
import { isExpired } from '#/auth/actors.ts'
import type { Ctx, Family } from '#/context.ts'
import { pageByKey } from '#/db/lists/pages.ts'
import { placeOf } from './access.ts'

export const identities: Family<'accessIdentityList'> = {
  async accessIdentityList(ctx, { query }) {
    const { level, id, siloId } = await placeOf(ctx, query.resource, ctx.op.allow)
    const named = await namedIn(ctx, level === 'project' ? [id, siloId] : [id])
    const items = [
      ...(await identitiesIn(ctx, 'siloUser', named)),
      ...(await identitiesIn(ctx, 'siloGroup', named)),
    ]
    const inOrder = items.toSorted((a, b) => (a.identityId < b.identityId ? -1 : 1))
    return pageByKey(ctx, query, { items: inOrder, keyOf: (one) => one.identityId })
  },
}

/** The ids of the users and groups with a role on one of the resources. */
async function namedIn({ tx, now }: Ctx, resourceIds: readonly string[]): Promise<string[]> {
  const all = await tx
    .selectFrom('roleAssignment')
    .select(['identityId', 'timeExpires'])
    .where('resourceId', 'in', resourceIds)
    .execute()
  return [...new Set(all.filter((one) => !isExpired(one, now)).map(({ identityId }) => identityId))]
}

async function identitiesIn({ tx }: Ctx, table: 'siloUser' | 'siloGroup', ids: readonly string[]) {
  if (ids.length === 0) return []
  const identityType = table === 'siloUser' ? ('silo_user' as const) : ('silo_group' as const)
  const rows = await tx
    .selectFrom(table)
    .innerJoin('silo', 'silo.id', `${table}.siloId`)
    .select([
      `${table}.id as identityId`,
      `${table}.displayName`,
      'silo.id as siloId',
      'silo.name as siloName',
    ])
    .where(`${table}.id`, 'in', ids)
    .execute()
  return rows.map((row) => ({ identityType, ...row }))
}
