/** Keeps the rows of hardware as the hosts report it. */
import type { World } from '#/context.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import type { Hardware } from '#/ports.ts'
import { recordedPart } from '#/resources/hardware/hosts.ts'
import { reachHosts } from '#/resources/hardware/reach.ts'
import { record } from '#/resources/hardware/record.ts'
import { isOfContent, storable } from '#/resources/hardware/storable.ts'
import type { Loop } from './loop.ts'

const everyMs = 600_000
/** After the first report: by then its sleds have their load. */
const soonMs = 60_000

/** The loop: a round every ten minutes, and soon after the driver has noticed a change. */
export function watchHardware(world: World, wake: (what: 'hardware' | 'attention') => void): Loop {
  const leases = hostLeasesOf(world)
  let everyNext = soonMs
  const drops = dropsOf(world)
  let changes = 0
  const unwatch = world.sleds.watchHardware(() => {
    changes++
    wake('hardware')
  })
  const recordNow = async (): Promise<void> => {
    drops.begin(await recordHardware(world))
    wake('attention')
  }
  /** The last record of a server without the duty: the hosts, the changes until then, and when it is repeated. */
  let part = { hosts: '', changes: 0, due: -Infinity }
  return {
    name: 'hardware',
    async round() {
      // Every server reaches the hosts that have joined, and looks which ones it records.
      if (!leases.has('hardware')) {
        await reachHosts(world)
        const next = {
          hosts: leases.recorded()?.ids.join(' ') ?? '',
          changes,
          due: world.clock.now() + everyMs,
        }
        const isDue = next.changes > part.changes || world.clock.now() >= part.due
        if (isDue || next.hosts !== part.hosts) {
          if (next.hosts !== '') await recordNow()
          part = next
        }
        return world.clock.now() + (world.lookMs ?? everyMs)
      }
      await recordNow()
      const next = world.clock.now() + everyNext
      everyNext = everyMs
      return next
    },
    settled: drops.settled,
    stop: unwatch,
  }
}

/** Drops sleds, none of which waits for another one. What fails is repeated by the next round. */
function dropsOf({ sleds, log }: World) {
  const underWay = new Map<string, Promise<void>>()
  return {
    begin(ids: readonly string[]): void {
      for (const id of ids.filter((one) => !underWay.has(one))) {
        const dropped = sleds
          .dropSled(id)
          .catch((error: unknown) => log.warn({ sled: id, error: String(error) }, 'a sled was not dropped'))
          .finally(() => underWay.delete(id))
        underWay.set(id, dropped)
      }
    },
    settled: async () => void (await Promise.all(underWay.values())),
  }
}

/**
 * Asks the driver, which gets the hosts that have joined, once and writes what it reports. A host whose report cannot be
 * stored is left out. Returns the sleds that were taken out of service, and that are to be dropped.
 */
export async function recordHardware(world: World): Promise<string[]> {
  const { sleds, engine } = world
  await reachHosts(world)
  const all = await sleds.hardware()
  const recorded = hostLeasesOf(world).recorded(all.hosts)
  const report = recorded ? recordedPart(all, recorded.has) : all
  const now = world.clock.now()
  // A server can be started to free room.
  const store = (some: Hardware) =>
    evenWhileFull(() =>
      engine.transaction('write', async (tx) => {
        await record(tx, some, now)
        return tx.selectFrom('sled').select('id').where('policy', '=', 'expunged').execute()
      }),
    )
  const gone = await store(report).catch(async (error: unknown) => {
    if (!isOfContent(error)) throw error
    return store(await storable(world, report))
  })
  // Some may have been forgotten for good.
  await reachHosts(world)
  const reported = new Set(report.sleds.map(({ id }) => id))
  return gone.flatMap(({ id }) => (reported.has(id) ? [id] : []))
}
