/** The sleds that count, and the room that they have: for placement, capacity and lists. */
import type { Engine } from '#/db/engine.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { detailsOf } from './details.ts'

/** The sleds that are part of the system. Those of a version without policies are. */
export const sledsInService = (tx: Tx) =>
  tx.selectFrom('sled').where((eb) => eb.or([eb('policy', 'is', null), eb('policy', '=', 'in_service')]))

/** True if sleds inside of a server are simulated. Those of a version that did not say are. */
export async function hasSimulatedSleds(engine: Engine): Promise<boolean> {
  const rows = await engine.transaction('read', (tx) =>
    sledsInService(tx).where('hostId', 'is', null).select('hostJson').execute(),
  )
  return rows.some((row) => (detailsOf(row)?.accelerator ?? 'simulated') === 'simulated')
}

/** Those of them that answer. */
export const sledsPresent = (tx: Tx) => sledsInService(tx).where('missingSince', 'is', null)

/** Those of them that take new instances. */
export const sledsOpen = (tx: Tx) => sledsPresent(tx).where('provisionPolicy', '=', 'provisionable')

/** The threads and bytes of memory of a sled that are not reserved. */
export const freeOn = (
  row: Pick<SledTable, 'usableHardwareThreads' | 'usedThreads' | 'reservoirSize' | 'usedMemory'>,
) => ({
  freeThreads: row.usableHardwareThreads - row.usedThreads,
  freeMemory: row.reservoirSize - row.usedMemory,
})

/** Instances with the names of what they are in, and their sleds. */
export const instancesWithNames = (tx: Tx) =>
  tx
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .select(['project.name as projectName', 'silo.name as siloName'])
    .select(['instance.sledId', 'instance.migrationId'])
