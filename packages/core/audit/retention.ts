/** How long entries are kept. */
import type { World } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import { readChain, writeChain } from '#/db/rows/audit-chain.ts'
import { detailsIn, keysOf } from './details.ts'
import { seqOf } from './sequence.ts'

const dayMs = 24 * 60 * 60_000
const perTransaction = 200
const keysPerDelete = 100
/** Unless the settings say otherwise. */
const defaultDays = 730

/** Removes some of the entries that are too old; the chain begins after them. Returns true if there may be more. */
export function expire(world: World): Promise<boolean> {
  const oldest = seqOf(world.clock.now() - (world.auditDays ?? defaultDays) * dayMs)
  return world.engine.transaction('append', async (tx) => {
    const old = await tx
      .selectFrom('auditEntry')
      .select(['seq', 'hash', 'siloId', 'otherSiloId', 'detailsJson'])
      .where('seq', '<', oldest)
      .orderBy('seq')
      .limit(perTransaction)
      .execute()
    const last = old.at(-1)
    if (!last) return false
    const chain = await readChain(tx, world.engine.name === 'postgres')
    await tx.deleteFrom('auditEntry').where('seq', '<=', last.seq).execute()
    const keys = new Set(old.flatMap((row) => keysOf(row, detailsIn(row))))
    for (const some of batches([...keys], keysPerDelete))
      await tx.deleteFrom('auditKey').where('key', 'in', some).where('seq', '<=', last.seq).execute()
    await writeChain(tx, {
      firstSeq: last.seq,
      firstHash: last.hash,
      entries: chain.entries - old.length,
    })
    return old.length === perTransaction
  })
}
