/** Tells in the log that a certificate expires: once at each stage, whatever server of a database does it. */
import { expiryDays, latestOf, type ExpiryStage } from '@purlin/contract/rules/credentials/certificates'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import type { Loop } from './loop.ts'

const everyMs = 60 * 60_000
const perRound = 100
/** The most urgent first: a certificate that has reached several is told of the last one alone. */
const stages: readonly ExpiryStage[] = [0, ...expiryDays.toReversed()]

interface Expiring {
  id: string
  name: string
  silo: string
  notAfter: number
}

/** The loop. Nothing is told of a certificate that another one of its silo outlives: that one is served. */
export const tellExpiry = ({ engine, clock, log }: World): Loop => ({
  name: 'certificates',
  async round() {
    const now = clock.now()
    for (const stage of stages) {
      const some = await engine.transaction('read', (tx) => untold(tx, stage, now))
      if (some.length === 0) continue
      const told = await engine.transaction('write', (tx) => markTold(tx, some, stage))
      for (const { name: certificate, silo, notAfter } of told)
        log.warn(
          { silo, certificate, notAfter: new Date(notAfter).toISOString() },
          stage === 0 ? 'a certificate has expired' : `a certificate expires within ${stage} days`,
        )
      // There may be more.
      return now
    }
    return now + everyMs
  },
})

/** Certificates that have reached a stage of which they were not told. */
const untold = (tx: Tx, stage: ExpiryStage, now: number): Promise<Expiring[]> =>
  tx
    .selectFrom('certificate as one')
    .innerJoin('silo', 'silo.id', 'one.siloId')
    .select(['one.id', 'one.name', 'silo.name as silo', 'one.notAfter'])
    .where('one.notAfter', '<=', latestOf(stage, now))
    .where((eb) => eb.or([eb('one.toldStage', 'is', null), eb('one.toldStage', '>', stage)]))
    .where((eb) => {
      const longer = eb
        .selectFrom('certificate as other')
        .select('other.id')
        .whereRef('other.siloId', '=', 'one.siloId')
        .whereRef('other.notAfter', '>', 'one.notAfter')
      return eb.not(eb.exists(longer))
    })
    .orderBy('one.notAfter')
    .limit(perRound)
    .execute()

/** Remembers the stage, and returns those that no other server has told of it meanwhile. */
async function markTold(tx: Tx, some: readonly Expiring[], stage: ExpiryStage): Promise<Expiring[]> {
  const told: Expiring[] = []
  for (const one of some) {
    const { numUpdatedRows } = await tx
      .updateTable('certificate')
      .set({ toldStage: stage })
      .where('id', '=', one.id)
      .where((eb) => eb.or([eb('toldStage', 'is', null), eb('toldStage', '>', stage)]))
      .executeTakeFirst()
    if (numUpdatedRows > 0n) told.push(one)
  }
  return told
}
