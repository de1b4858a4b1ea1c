/** How many users and groups a silo may have. Programs and sign-ins make them, so no person would notice too many. */
import { limits } from '@purlin/contract/rules/limits'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** Users and groups that are about to be added to a silo. */
interface Adding {
  siloId: string
  users?: number
  groups?: number
}

/** Throws 507 if the silo would have more than it may have. */
export async function checkDirectoryRoom(
  { directory = limits.directory }: Pick<World, 'directory'>,
  tx: Tx,
  { siloId, users = 0, groups = 0 }: Adding,
): Promise<void> {
  const all = [
    ['siloUser', 'user', users, directory.users],
    ['siloGroup', 'group', groups, directory.groups],
  ] as const
  for (const [table, noun, adding, most] of all) {
    const has = adding > 0 ? await countUpTo(tx, { table, siloId, most }) : 0
    if (has + adding > most) throw fault.tooMany({ noun, holder: 'silo', has, most })
  }
}

async function countUpTo(
  tx: Tx,
  { table, siloId, most }: { table: 'siloUser' | 'siloGroup'; siloId: string; most: number },
): Promise<number> {
  const some = tx.selectFrom(table).select('id').where('siloId', '=', siloId).limit(most).as('some')
  const { count } = await tx
    .selectFrom(some)
    .select((eb) => eb.fn.countAll<number | bigint | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
