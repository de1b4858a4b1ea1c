/** The identity of a database: data outside it, such as the bytes of disks, belongs to this one only. */
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'

const name = 'identity'

/** The id of a database, created on first use. Applies missing migrations before. */
export async function identityOf({
  engine,
  ids,
  clock,
}: {
  engine: Engine
  ids: { uuid(): string }
  clock: { now(): number }
}): Promise<string> {
  await migrate(engine, clock.now())
  return engine.transaction('write', async (tx) => {
    const known = await tx.selectFrom('lease').select('holder').where('name', '=', name).executeTakeFirst()
    if (known) return known.holder
    const holder = ids.uuid()
    await tx
      .insertInto('lease')
      .values({ name, holder, until: 0 })
      // After another server has made it at this moment, this transaction is run again, and finds it.
      .onConflict((on) => on.column('name').doNothing())
      .execute()
    return holder
  })
}
