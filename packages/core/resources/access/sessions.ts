/** Sign-in and sign-out. */
import type { Family } from '#/context.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import { permit } from '#/auth/resolve.ts'
import { signInOptions } from '#/auth/sign-in/sign-in-address.ts'
import { signIn } from '#/auth/sign-in/sign-in.ts'
import { fault } from '#/faults.ts'

export const sessions: Family<'ping' | 'loginLocal' | 'loginOptions' | 'logout'> = {
  ping: {
    withoutTransaction: async ({ world }) => {
      const trouble = world.engine.trouble?.()
      if (trouble !== undefined) throw fault.unavailable(trouble)
      return { status: 'ok' as const }
    },
  },

  loginLocal: { withoutTransaction: (ctx, { params, body }) => signIn(ctx, { ...params, ...body }) },

  loginOptions: {
    withoutTransaction: (ctx, { params }) =>
      ctx.actor
        ? ctx.transaction('read', (inTransaction) => {
            permit(inTransaction)
            return signInOptions(inTransaction.tx, params.siloName)
          })
        : ctx.world.engine.transaction('read', (tx) => signInOptions(tx, params.siloName)),
  },

  logout: {
    async withoutTransaction(ctx) {
      const ownSessions = sessionsOf(ctx.world)
      if (ctx.sessionToken)
        await ownSessions.end(ctx.sessionToken, (begun, work) => ctx.audit.attempt(begun, work))
      ctx.cookies.push(ownSessions.cookie('', ctx.secure))
    },
  },
}
