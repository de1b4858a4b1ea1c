/** Changes that need more proof than a session: it may be an old one on a screen that was left open. */
import { recentSignInMs } from '@purlin/contract/rules/credentials/second-factors'
import type { Actor, Ctx } from '#/context.ts'
import { fault } from '#/faults.ts'
import { permit } from './resolve.ts'
import { sessionsOf } from './sessions.ts'

/** True for an actor who has a session, false for an access token. */
export const isSession = ({ authMethod }: Pick<Actor, 'authMethod'>): boolean =>
  authMethod === 'session_cookie'

/** The actor of a session. Throws 403 for an access token, which would become a way to sign in. */
export function permitSession(ctx: Ctx): Actor {
  permit(ctx)
  if (!isSession(ctx.actor)) throw fault.forbidden()
  return ctx.actor
}

/** Throws 401 if the credential of a request has ended since it was read. A request that no client sent has none. */
export async function refuseEnded({ tx, world }: Ctx, credential: string | null): Promise<void> {
  if (credential === null) return
  const held = await sessionsOf(world).read(tx, [credential])
  if (!held.get(credential)?.isLive()) throw fault.unauthorized()
}

/** The actor, whose session began a short time ago. Throws 403. */
export async function permitRecent(ctx: Ctx): Promise<Actor> {
  const actor = permitSession(ctx)
  const session = await ctx.tx
    .selectFrom('session')
    .select('timeCreated')
    .where('id', '=', actor.sessionId)
    .executeTakeFirst()
  if (!session || session.timeCreated < ctx.now - recentSignInMs) throw fault.recentSignIn()
  return actor
}
