/** A running control plane: the dispatcher, its loops and its start. */
import { signInLimitsOf } from './auth/sign-in/sign-in-limits.ts'
import type { World } from './context.ts'
import { migrate } from './db/migrate.ts'
import { fitReserves } from './db/rows/tallies.ts'
import { createDispatcher, type Dispatcher } from './http/dispatch.ts'
import { openAllowList, type AllowList } from './loops/allow-list.ts'
import { startLoops, type Loops } from './loops/loops.ts'

export interface ControlPlane extends Dispatcher {
  readonly world: World
  readonly loops: Loops
  readonly allowList: AllowList
  /** Ends the loops and closes the database; requests under way should be done. */
  close(): Promise<void>
}

/** Brings the schema up to date, fits reserves to the limits, registers the sleds and starts the loops. */
export async function createControlPlane(world: World): Promise<ControlPlane> {
  await migrate(world.engine, world.clock.now())
  await world.engine.transaction('write', (tx) => fitReserves(tx, world.counts))
  // From now on it hears of the failures at other servers.
  signInLimitsOf(world)
  const dispatcher = createDispatcher(world, { wake: (what) => loops.wake(what) })
  const allowList = await openAllowList(world)
  const loops = await startLoops(world, dispatcher.dispatchAs, allowList)
  return {
    ...dispatcher,
    world,
    loops,
    allowList,
    close: async () => {
      await loops.stop()
      await world.engine.close()
    },
  }
}
