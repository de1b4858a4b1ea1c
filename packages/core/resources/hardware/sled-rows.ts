/** The sleds that count, and the room that they have: for placement, capacity and lists. */
import { canonicalIp, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { Engine } from '#/db/engine.ts'
import type { SledTable, Tx } from '#/db/tables.ts'
import { isLedTo, type SledWays } from '#/network/sled-ways.ts'
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

/** True if the system has sleds. */
export const hasSleds = (engine: Engine): Promise<boolean> =>
  engine.transaction(
    'read',
    async (tx) => (await sledsInService(tx).select('id').limit(1).execute()).length > 0,
  )

/** True if sleds are inside of a server. */
export async function hasSledsInside(engine: Engine): Promise<boolean> {
  const inside = (tx: Tx) => sledsInService(tx).where('hostId', 'is', null).select('id').executeTakeFirst()
  return (await engine.transaction('read', inside)) !== undefined
}

/** True if sleds of any host run guests. */
export async function hasRealSleds(engine: Engine): Promise<boolean> {
  const rows = await engine.transaction('read', (tx) => sledsInService(tx).select('hostJson').execute())
  return rows.some((row) => (detailsOf(row)?.accelerator ?? 'simulated') !== 'simulated')
}

/** The ways of sleds to others and to the outside. Each says so itself: a text that is no address or block is left out. */
export async function sledWaysIn(tx: Tx): Promise<SledWays[]> {
  const rows = await sledsInService(tx).select(['id', 'hostJson']).orderBy('id').execute()
  return rows.map((row) => {
    const { tunnelAddress = '', external = [] } = detailsOf(row) ?? {}
    return {
      sledId: row.id,
      tunnel: parseIp(tunnelAddress) ? canonicalIp(tunnelAddress) : undefined,
      external: external.flatMap((block) => parseNet(block) ?? []),
    }
  })
}

/**
 * Whether an external address is led to guests on a sled, or on any sled if none is named. True where hosts do not enforce networks,
 * or do not say which addresses they lead.
 */
export async function addressesLedTo(tx: Tx, sledId: string | null): Promise<(ip: string) => boolean> {
  const own = await sledsInService(tx)
    .select(['id', 'hostJson'])
    .$if(sledId !== null, (rows) => rows.where('id', '=', sledId))
    .execute()
  const isKnown = own.every((row) => {
    const { networkMode, external } = detailsOf(row) ?? {}
    return networkMode === 'enforced' && external !== undefined
  })
  if (!isKnown || own.length === 0) return () => true
  const ways = await sledWaysIn(tx)
  return (ip) => own.some(({ id }) => isLedTo(ip, id, ways))
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
