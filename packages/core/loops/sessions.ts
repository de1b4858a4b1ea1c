/** Sessions that nobody uses any more leave the database. */
import type { World } from '../context.ts'
import type { Loop } from './loop.ts'

const everyMs = 10 * 60_000

export const expireSessions = (world: World): Loop => ({
  name: 'sessions',
  async round() {
    const now = world.clock.now()
    const { idleMs, absoluteMs } = world.sessions
    await world.engine.transaction('write', async (tx) => {
      await tx
        .deleteFrom('session')
        .where((eb) =>
          eb.or([eb('timeLastUsed', '<', now - idleMs), eb('timeCreated', '<', now - absoluteMs)]),
        )
        .execute()
    })
    return now + everyMs
  },
})
