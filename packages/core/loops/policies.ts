/** Deletes expired assignments of roles: they have had no effect since their expiry. */
import type { World } from '#/context.ts'
import type { Loop } from './loop.ts'

const everyMs = 10 * 60_000

export const removeExpiredRoles = ({ engine, clock }: World): Loop => ({
  name: 'policies',
  async round() {
    const now = clock.now()
    const next = await engine.transaction('read', async (tx) => {
      const first = tx.selectFrom('roleAssignment').select('timeExpires').where('timeExpires', 'is not', null)
      return first.orderBy('timeExpires').limit(1).executeTakeFirst()
    })
    const at = next?.timeExpires ?? Infinity
    if (at > now) return Math.min(at, now + everyMs)
    await engine.transaction('write', (tx) =>
      tx.deleteFrom('roleAssignment').where('timeExpires', '<=', now).execute(),
    )
    // There may be others that expire soon.
    return now
  },
})
