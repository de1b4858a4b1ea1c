/** Logs a warning before a certificate expires: once at each stage, by one server of a database. */
import { expiryDays, latestOf, type ExpiryStage } from '@purlin/contract/rules/credentials/certificates'
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { presentedCertificates } from '#/resources/silos/certificates.ts'
import type { Loop } from './loop.ts'

const everyMs = 60 * 60_000
const perRound = 100
/** Most urgent first: a certificate that has reached several stages is reported for the last one only. */
const stages: readonly ExpiryStage[] = [0, ...expiryDays.toReversed()]

interface Expiring {
  id: string
  name: string
  silo: string
  notAfter: number
}

/** The loop. It skips a certificate if another one of its silo is valid for longer: the server presents that one. */
export const warnOfExpiry = ({ engine, clock, log }: World): Loop => ({
  name: 'certificates',
  async round() {
    const now = clock.now()
    for (const stage of stages) {
      const some = await engine.transaction('read', (tx) => unannounced(tx, stage, now))
      if (some.length === 0) continue
      const announced = await engine.transaction('write', (tx) => markAnnounced(tx, some, stage))
      for (const { name: certificate, silo, notAfter } of announced)
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

/** Certificates that have reached a stage and have not been announced for it. */
const unannounced = (tx: Tx, stage: ExpiryStage, now: number): Promise<Expiring[]> =>
  presentedCertificates(tx)
    .where('one.notAfter', '<=', latestOf(stage, now))
    .where((eb) => eb.or([eb('one.toldStage', 'is', null), eb('one.toldStage', '>', stage)]))
    .orderBy('one.notAfter')
    .limit(perRound)
    .execute()

/** Records the stage. Returns the certificates that no other server has announced for it since they were read. */
async function markAnnounced(tx: Tx, some: readonly Expiring[], stage: ExpiryStage): Promise<Expiring[]> {
  const announced: Expiring[] = []
  for (const one of some) {
    const { numUpdatedRows } = await tx
      .updateTable('certificate')
      .set({ toldStage: stage })
      .where('id', '=', one.id)
      .where((eb) => eb.or([eb('toldStage', 'is', null), eb('toldStage', '>', stage)]))
      .executeTakeFirst()
    if (numUpdatedRows > 0n) announced.push(one)
  }
  return announced
}
