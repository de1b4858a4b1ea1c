/** Work that outlives a request. Each loop makes the world match what requests have wished. */
import type { LoopName, World } from '../context.ts'
import type { Loop } from './loop.ts'
import { computeDigests } from './digests.ts'
import { instanceLoop } from './instances.ts'
import { sweepLayers } from './layers.ts'
import { collectSamples, keepUpSamples } from './samples.ts'
import { expireSessions } from './sessions.ts'
import { registerSleds } from './sleds.ts'

export interface Loops {
  /** Looks soon, not only when the next row is due. */
  wake(loop: LoopName): void
  /** Resolves when nothing that is due is left undone. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Takes in the sleds and starts every loop. */
export async function startLoops(world: World): Promise<Loops> {
  await registerSleds(world)
  const wake = (loop: LoopName) => byName.get(loop)?.wake()
  const instances = instanceLoop(world, () => wake('instances'))
  const runners = [
    instances.loop,
    expireSessions(world),
    sweepLayers(world),
    computeDigests(world),
    collectSamples(world),
    keepUpSamples(world),
  ].map((loop) => run(world, loop))
  const byName = new Map(runners.map((runner) => [runner.name as string, runner]))
  return {
    wake,
    settled: async () => {
      await instances.settled()
      await Promise.all(runners.map((runner) => runner.settled()))
    },
    stop: async () => {
      instances.stop()
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}

const afterFailureMs = 2_000

/** Runs rounds one after another: at the time a round asked for, or at once when woken. */
function run(world: World, loop: Loop) {
  let busy: Promise<void> | null = null
  let again = false
  let stopped = false
  let cancel = () => {}

  async function rounds(): Promise<void> {
    do {
      again = false
      let next = world.clock.now() + afterFailureMs
      try {
        next = await loop.round()
      } catch (error) {
        world.log.error(
          { loop: loop.name, stack: error instanceof Error ? error.stack : String(error) },
          'loop round failed',
        )
      }
      cancel()
      if (!stopped && !again) cancel = world.clock.after(Math.max(0, next - world.clock.now()), wake)
    } while (again && !stopped)
  }
  function wake(): void {
    if (stopped) return
    again = true
    busy ??= rounds().finally(() => {
      busy = null
      if (again) wake()
    })
  }
  wake()
  return {
    name: loop.name,
    wake,
    settled: async () => {
      while (busy) await busy
    },
    stop: async () => {
      stopped = true
      cancel()
      loop.stop?.()
      await busy
    },
  }
}
