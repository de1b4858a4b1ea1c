/** Deletes expired sessions from the database. */
import type { World } from '#/context.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import type { Loop } from './loop.ts'

const everyMs = 10 * 60_000

export const expireSessions = (world: World): Loop => ({
  name: 'sessions',
  async round() {
    await sessionsOf(world).deleteExpired()
    return world.clock.now() + everyMs
  },
})
