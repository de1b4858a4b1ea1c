/** One request after parsing: who asks, and the contexts that its handler may work in. */
import type { TableName, Tx } from './db/tables.ts'
import type { Actor } from './access.ts'
import type { Ctx, FreeCtx, LoopName, World } from './context.ts'
import { fault } from './faults.ts'
import { checkBearer, type Incoming } from './request.ts'
import { tokenOf } from './sessions.ts'

/** What exchanges need of the dispatcher. */
export interface Desk {
  world: World
  authenticate: (token: string) => Promise<Actor>
  wake: (loop: LoopName) => void
}

export interface Exchange {
  /** Headers that a free handler has set. */
  readonly headers: Record<string, string>
  /** Who asks. Null only for public operations. Throws 401, 400. */
  actor(): Promise<Actor | null>
  /** Runs checked work in one transaction and wakes the loops it asked for after the commit. */
  run<T>(
    actor: Actor,
    how: { mode: 'read' | 'write'; reads?: Set<TableName> },
    work: (ctx: Ctx) => Promise<T>,
  ): Promise<T>
  /** The context of a handler outside a transaction. */
  freeContext(): Promise<FreeCtx>
}

export function openExchange(desk: Desk, incoming: Incoming, requestId: string): Exchange {
  const { world, authenticate, wake } = desk
  const { request, match, search } = incoming
  const headers: Record<string, string> = {}
  const token = tokenOf(request.header('cookie'))
  const common = { world, op: match.op, requestId, now: world.clock.now(), search }
  const isPublic = match.op.allow === 'public'

  async function actor(): Promise<Actor | null> {
    if (token !== null) return isPublic ? authenticate(token).catch(refusedOnly) : authenticate(token)
    if (isPublic) return null
    checkBearer(request.header('authorization'))
    throw fault.unauthorized()
  }

  const run: Exchange['run'] = async (who, { mode, reads }, work) => {
    const woken = new Set<LoopName>()
    const inside = async (tx: Tx) => {
      woken.clear()
      const ctx: Ctx = { ...common, tx, actor: who, checked: false, wake: (loop) => woken.add(loop) }
      const result = await work(ctx)
      if (!ctx.checked) throw new Error(`${match.name} has checked nothing`)
      return result
    }
    const value = await world.engine.transaction(mode, inside, reads)
    for (const loop of woken) wake(loop)
    return value
  }

  async function freeContext(): Promise<FreeCtx> {
    const who = await actor()
    return {
      ...common,
      actor: who,
      sessionToken: token,
      remote: request.remote,
      secure: request.secure,
      setHeader: (name, value) => (headers[name] = value),
      within: (mode, work) => {
        if (!who) throw fault.unauthorized()
        return run(who, { mode }, work)
      },
    }
  }
  return { headers, actor, run, freeContext }
}

// Signing in and out must work with a stale cookie; a database that is down is another matter.
function refusedOnly(error: unknown): null {
  if ((error as { status?: number }).status === 401) return null
  throw error
}
