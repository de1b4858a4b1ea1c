/** Which database this is: what lies outside it, such as the bytes of disks, belongs to it alone. */
import type { World } from '../context.ts'
import { migrate } from './migrations.ts'

const name = 'identity'

/** The id of a database, made when it is first asked for. Brings the schema up to date before. */
export async function identityOf({
  engine,
  ids,
  clock,
}: Pick<World, 'engine' | 'ids' | 'clock'>): Promise<string> {
  await migrate(engine, clock.now())
  return engine.transaction('write', async (tx) => {
    const known = await tx.selectFrom('lease').select('holder').where('name', '=', name).executeTakeFirst()
    if (known) return known.holder
    const holder = ids.uuid()
    await tx.insertInto('lease').values({ name, holder, until: 0 }).execute()
    return holder
  })
}
