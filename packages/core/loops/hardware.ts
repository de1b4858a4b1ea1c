/** Keeps the rows of hardware as the hosts report it. */
import type { World } from '#/context.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { hostLeasesOf, type RecordedHosts } from '#/resources/hardware/host-leases.ts'
import type { Hardware } from '#/ports.ts'
import { recordedPart } from '#/resources/hardware/hosts.ts'
import { reachHosts } from '#/resources/hardware/reach.ts'
import { record } from '#/resources/hardware/record.ts'
import { isOfContent, storable } from '#/resources/hardware/storable.ts'
import type { Loop } from './loop.ts'

const everyMs = 600_000
/** After the first report: by then its sleds have their load. */
const soonMs = 60_000

/** The loop: a record every ten minutes, and soon after the driver has noticed a change. */
export function watchHardware(world: World, wake: (what: 'hardware' | 'attention') => void): Loop {
  const { clock, sleds } = world
  const leases = hostLeasesOf(world)
  let everyNext = soonMs
  const drops = dropsOf(world)
  let changes = 0
  const unwatch = sleds.watchHardware(() => {
    changes++
    wake('hardware')
  })
  /** Returns the hosts whose hardware was recorded. */
  const recordNow = async (): Promise<string> => {
    const { dropped, hosts } = await recordHardware(world)
    drops.begin(dropped)
    wake('attention')
    return hosts.join(' ')
  }
  /** The last record: its hosts, the changes until then, and when it is repeated. */
  let last = { hosts: '', changes: 0, due: -Infinity }
  return {
    name: 'hardware',
    async round(isWoken) {
      const hasDuty = leases.has('hardware')
      const recorded = leases.recorded()
      const next = { hosts: (recorded?.ids ?? []).join(' '), changes }
      const isDue =
        clock.now() >= last.due ||
        changes > last.changes ||
        (hasDuty && isWoken === true) ||
        // While leases end or change hands, a record leaves out hosts that this server records a moment later.
        next.hosts !== last.hosts ||
        (recorded !== undefined && (await isOutdated(world, recorded)))
      if (isDue && (hasDuty || next.hosts !== '')) {
        last.due = -Infinity
        next.hosts = await recordNow()
      }
      // Every server reaches the hosts that have joined, whatever it records.
      else if (!hasDuty) await reachHosts(world)
      if (isDue) {
        last = { ...next, due: clock.now() + everyNext }
        everyNext = everyMs
      }
      return leases.isShared ? Math.min(last.due, clock.now() + (world.lookMs ?? everyMs)) : last.due
    },
    settled: drops.settled,
    stop: unwatch,
  }
}

/** True if another server, which drove a host before, was the last one to record whether it answers. */
async function isOutdated({ engine }: World, { ids, up }: RecordedHosts): Promise<boolean> {
  if (ids.length === 0) return false
  const rows = await engine.transaction('read', (tx) =>
    tx.selectFrom('host').select(['id', 'state']).where('id', 'in', ids).execute(),
  )
  return rows.some(({ id, state }) => (state === 'up') !== up.has(id))
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
 * stored is left out. Returns the sleds that were taken out of service, and that are to be dropped, and the hosts of which this server has
 * recorded the hardware, as the leases name them.
 */
export async function recordHardware(world: World): Promise<{ dropped: string[]; hosts: readonly string[] }> {
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
  return {
    dropped: gone.flatMap(({ id }) => (reported.has(id) ? [id] : [])),
    hosts: recorded?.ids ?? [],
  }
}
