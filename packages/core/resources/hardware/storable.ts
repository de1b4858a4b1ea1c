/** Finds the hosts whose report cannot be stored, so that the others are recorded. */
import type { World } from '#/context.ts'
import { Contention, isOutage, StorageFull } from '#/db/engine.ts'
import type { Hardware } from '#/ports.ts'
import { partOf } from './hosts.ts'
import { record } from './record.ts'

/** True for a failure that may be due to what was to be stored. */
export const isOfContent = (error: unknown): boolean =>
  !isOutage(error) && !(error instanceof StorageFull) && !(error instanceof Contention)

class Undone extends Error {}

/** A report less the hosts that make it impossible to store, each of which is logged. Throws if that is all of them, or none. */
export async function storable(world: World, report: Hardware): Promise<Hardware> {
  const all = new Set([...report.sleds, ...report.switches].map(({ hostId }) => hostId ?? null))
  // The host inside of the server comes first, and must fit.
  const kept = new Set<string | null>([null])
  await attempt(
    world,
    partOf(report, (id) => kept.has(id)),
  )
  for (const host of [...all].filter((id) => id !== null).toSorted()) {
    try {
      await attempt(
        world,
        partOf(report, (id) => id === host || kept.has(id)),
      )
      kept.add(host)
    } catch (error) {
      if (!isOfContent(error)) throw error
      world.log.error({ host, error: String(error) }, 'the hardware of a host cannot be recorded')
    }
  }
  if (kept.size === 1 && !all.has(null)) throw new Error('the hardware of no host can be recorded')
  return partOf(report, (id) => kept.has(id))
}

/** Stores a report, and takes it back. */
async function attempt({ engine, clock }: World, report: Hardware): Promise<void> {
  try {
    await engine.transaction('write', async (tx) => {
      await record(tx, report, clock.now())
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
}
