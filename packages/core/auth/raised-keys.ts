/** A key is made by one who may act as its account. What raises the account on the fleet ends it, so that no key rises with it. */
import { implies, type Role } from '@purlin/contract/rules/roles'
import type { Ctx } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { actorsOf } from './people.ts'
import { endAllOf } from './sessions.ts'

/** The users and groups, or the users of a silo, whose roles a change may raise. */
type Among = { identityIds: readonly string[] } | { siloId: string }

/** Makes a change, and ends all keys of service accounts that it gives a stronger role on the fleet, with their tasks. */
export async function endingRaisedKeys<T>(ctx: Ctx, among: Among, change: () => Promise<T>): Promise<T> {
  const before = await fleetRolesOf(ctx, await holdersOfKeys(ctx, among))
  const result = await change()
  const after = await fleetRolesOf(ctx, [...before.keys()])
  for (const [id, role] of after) {
    if (role === null || implies(before.get(id) ?? null, role)) continue
    await endAllOf(ctx.tx, { id })
    ctx.wake('tasks')
  }
  return result
}

/** The service accounts among them, or in these groups, that have keys. */
async function holdersOfKeys({ tx }: Ctx, among: Among): Promise<string[]> {
  const all = tx
    .selectFrom('siloUser')
    .select('id')
    .where('isServiceAccount', '=', 1)
    .where('id', 'in', tx.selectFrom('accessToken').select('siloUserId'))
  if ('siloId' in among) return idsOf(await all.where('siloId', '=', among.siloId).execute())
  const { identityIds } = among
  if (identityIds.length === 0) return []
  const members = tx.selectFrom('groupMember').select('userId').where('groupId', 'in', identityIds)
  const rows = await all
    .where((eb) => eb.or([eb('id', 'in', identityIds), eb('id', 'in', members)]))
    .execute()
  return idsOf(rows)
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

async function fleetRolesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Role | null>> {
  const found = new Map<string, Role | null>()
  for (const some of batches(ids, 500))
    for (const { id, actor } of await actorsOf(ctx, some)) found.set(id, actor.fleetRole)
  return found
}
