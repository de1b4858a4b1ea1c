/** Keeps the rows of hardware as the hosts report it. */
import type { World } from '#/context.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { joinedHosts } from '#/resources/hardware/hosts.ts'
import { hostLeasesOf } from '#/resources/hardware/host-leases.ts'
import { record } from '#/resources/hardware/record.ts'
import type { Loop } from './loop.ts'

const everyMs = 600_000
/** After the first report: by then its sleds have their load. */
const soonMs = 60_000

/** The loop: a round every ten minutes, and soon after the driver has noticed a change. */
export function watchHardware(world: World, wake: (what: 'hardware' | 'attention') => void): Loop {
  let everyNext = soonMs
  const unwatch = world.sleds.watchHardware(() => wake('hardware'))
  return {
    name: 'hardware',
    async round() {
      // Every server reaches the hosts that have joined, and one records what they report.
      if (!hostLeasesOf(world).has('hardware')) {
        await reachHosts(world)
        return world.clock.now() + (world.lookMs ?? everyMs)
      }
      await recordHardware(world)
      wake('attention')
      const next = world.clock.now() + everyNext
      everyNext = everyMs
      return next
    },
    stop: unwatch,
  }
}

/** Gives the driver the hosts that have joined. */
export async function reachHosts({ sleds, engine }: World): Promise<void> {
  if (!sleds.setJoined) return
  const joined = await engine.transaction('read', joinedHosts)
  if (joined) sleds.setJoined(joined)
}

/** Asks the driver, which gets the hosts that have joined, once and writes what it reports. Sleds that were taken out of service are dropped. */
export async function recordHardware(world: World): Promise<void> {
  const { sleds, engine } = world
  await reachHosts(world)
  const report = await sleds.hardware()
  const now = world.clock.now()
  // A server can be started to free room.
  const gone = await evenWhileFull(() =>
    engine.transaction('write', async (tx) => {
      await record(tx, report, now)
      return tx.selectFrom('sled').select('id').where('policy', '=', 'expunged').execute()
    }),
  )
  const reported = new Set(report.sleds.map(({ id }) => id))
  for (const { id } of gone) if (reported.has(id)) await sleds.dropSled(id)
}
