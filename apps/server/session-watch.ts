/** Whether a session holds, for what is no API request: pages, and connections that stay open. */
import type { World } from '@purlin/core/context'
import { Fault } from '@purlin/core/faults'
import { createAuthenticator } from '@purlin/core/sessions'

export interface SessionWatch {
  /** True while the session lives. Only `used` renews it: an open window alone is no use. */
  holds(token: string, used: boolean): Promise<boolean>
}

export function createSessionWatch(world: World): SessionWatch {
  const authenticate = createAuthenticator(world)

  async function peek(token: string): Promise<boolean> {
    const hash = world.passwords.fingerprint(token)
    const times = await world.engine.transaction('read', (tx) =>
      tx
        .selectFrom('session')
        .select(['timeCreated', 'timeLastUsed'])
        .where('tokenHash', '=', hash)
        .executeTakeFirst(),
    )
    if (!times) return false
    const now = world.clock.now()
    return (
      now - times.timeLastUsed <= world.sessions.idleMs &&
      now - times.timeCreated <= world.sessions.absoluteMs
    )
  }

  return {
    async holds(token, used) {
      if (!used) return peek(token)
      try {
        await authenticate(token)
        return true
      } catch (error) {
        if (error instanceof Fault) return false
        throw error
      }
    },
  }
}
