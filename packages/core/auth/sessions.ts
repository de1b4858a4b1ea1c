/**
 * Sessions: a cookie with 160 random bits, of which only the fingerprint is stored. Only this module
 * decides when a session expires, when its use is stored, and whose it is.
 */
import { sessionsOfUser } from '@purlin/contract/rules/counts'
import type { Actor, World } from '#/context.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { isOutage, traced } from '#/db/engine.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import type { Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { loadSession, loadSessions, type LoadedSession } from './actors.ts'
import { cookieOf, setCookie } from './cookies.ts'

export interface Sessions {
  /** Starts a session in place of the one with the token `replaced`, if any. Returns its token, 40 hex characters. */
  start(tx: Tx, siloUserId: string, replaced?: string | null): Promise<string>
  /** Ends a session. */
  end(token: string, around?: Around): Promise<void>
  /** The user of a session, whose idle clock starts anew. Throws 401. */
  authenticate(token: string): Promise<Actor>
  /** Sessions by their tokens, without any effect on them. Those that do not exist are missing. */
  read(tx: Tx, tokens: readonly string[]): Promise<Map<string, HeldSession>>
  /** Sessions created or last used before these times, ms, have expired. */
  oldest(): { timeCreated: number; timeLastUsed: number }
  /** Deletes all sessions that have expired. */
  deleteExpired(): Promise<void>
  /** The `Set-Cookie` header that hands out a token or, with an empty one, clears it. */
  cookie(token: string, secure: boolean): string
}

/** Runs work in a transaction, with something before or after it. */
type Around = (tx: Tx, work: () => Promise<void>) => Promise<void>

/** A session as it was read. */
export interface HeldSession {
  actor: Actor
  /** The actor has these roles until then. */
  rolesUntil: number
  /** True until it expires, or would have expired. */
  isLive(): boolean
  /** Starts its idle clock anew. */
  renew(): void
}

const cookieName = 'session'
// The idle clock is stored this often, so that reads stay reads: at the latest after a tenth of the time allowed.
const longestRenewMs = 60_000
const renewalsPerIdleTime = 10
const maxCached = 10_000

const hex = (data: Uint8Array) => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The token in a Cookie header, or null. */
export const tokenOf = (cookieHeader: string | undefined): string | null => cookieOf(cookieHeader, cookieName)

/** The sessions of a world. Every caller gets the same ones, and so shares what they cache. */
export const sessionsOf: (world: World) => Sessions = memoizeByObject(createSessions)

function createSessions(world: World): Sessions {
  const { engine, clock, ids, passwords } = world
  const { absoluteMs, idleMs } = world.sessions
  const load = createLoader(world)
  const renew = createRenewal(world)

  const oldest = () => ({ timeCreated: clock.now() - absoluteMs, timeLastUsed: clock.now() - idleMs })

  function isExpired(session: LoadedSession): boolean {
    const { timeCreated, timeLastUsed } = oldest()
    return session.timeCreated < timeCreated || session.timeLastUsed < timeLastUsed
  }

  const removeIn = async (tx: Tx, tokenHash: string) => {
    await tx.deleteFrom('session').where('tokenHash', '=', tokenHash).execute()
  }
  const remove = (tokenHash: string, around: Around = (_, work) => work()) =>
    evenWhileFull(() => engine.transaction('write', (tx) => around(tx, () => removeIn(tx, tokenHash))))

  async function authenticate(token: string): Promise<Actor> {
    const tokenHash = passwords.fingerprint(token)
    const session = await load(tokenHash)
    if (!session) throw fault.unauthorized()
    if (isExpired(session)) {
      await remove(tokenHash)
      throw fault.unauthorized()
    }
    renew(session, tokenHash)
    return session.actor
  }

  return {
    async start(tx, siloUserId, replaced) {
      if (replaced) await removeIn(tx, passwords.fingerprint(replaced))
      const token = hex(ids.bytes(20))
      const now = clock.now()
      const tokenHash = passwords.fingerprint(token)
      const row = { id: ids.uuid(), tokenHash, siloUserId, timeCreated: now, timeLastUsed: now }
      await tx.insertInto('session').values(row).execute()
      await endOldest(tx, siloUserId)
      return token
    },
    end: (token, around) => remove(passwords.fingerprint(token), around),
    authenticate,
    oldest,
    async read(tx, tokens) {
      const byHash = new Map(tokens.map((token) => [passwords.fingerprint(token), token]))
      const loaded = await loadSessions(tx, [...byHash.keys()], clock.now())
      return new Map(
        [...loaded].map(([hash, session]) => [
          byHash.get(hash) ?? '',
          {
            actor: session.actor,
            rolesUntil: session.rolesUntil,
            isLive: () => !isExpired(session),
            renew: () => renew(session, hash),
          },
        ]),
      )
    },
    async deleteExpired() {
      const { timeCreated, timeLastUsed } = oldest()
      await engine.transaction('write', (tx) =>
        tx
          .deleteFrom('session')
          .where((eb) => eb.or([eb('timeLastUsed', '<', timeLastUsed), eb('timeCreated', '<', timeCreated)]))
          .execute(),
      )
    },
    cookie(token, secure) {
      const seconds = token ? Math.floor(absoluteMs / 1000) : 0
      return setCookie({ name: cookieName, value: token, path: '/', sameSite: 'Lax', seconds, secure })
    },
  }
}

/** Stores that a session is used, unless that was stored a short time ago. */
function createRenewal({ engine, clock, log, sessions: { idleMs } }: World) {
  const renewMs = Math.min(longestRenewMs, idleMs / renewalsPerIdleTime)
  // Requests at the same time may all have read the session as it was before.
  const renewed = new Map<string, number>()

  return (session: LoadedSession, tokenHash: string): void => {
    const now = clock.now()
    if (now - Math.max(session.timeLastUsed, renewed.get(tokenHash) ?? 0) <= renewMs) return
    session.timeLastUsed = now
    if (renewed.size >= maxCached) renewed.clear()
    renewed.set(tokenHash, now)
    engine
      .transaction('write', (tx) =>
        tx.updateTable('session').set({ timeLastUsed: now }).where('tokenHash', '=', tokenHash).execute(),
      )
      .catch((error: unknown) => {
        if (!isOutage(error)) log.warn({ error: String(error) }, 'session not renewed')
      })
  }
}

/** Ends the sessions of a user that are too many, those that have not been used for the longest time. */
async function endOldest(tx: Tx, siloUserId: string): Promise<void> {
  const rows = await tx
    .selectFrom('session')
    .select('id')
    .where('siloUserId', '=', siloUserId)
    .orderBy('timeLastUsed', 'desc')
    .orderBy('timeCreated', 'desc')
    .limit(sessionsOfUser)
    .offset(sessionsOfUser)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('session').where('id', 'in', ids).execute()
}

/** Reads sessions, and caches them until a table that they were read from changes or a role expires. */
function createLoader({ engine, clock }: World): (tokenHash: string) => Promise<LoadedSession | null> {
  const cached = new Map<string, { session: LoadedSession; fresh: () => boolean }>()
  return async (tokenHash) => {
    const known = cached.get(tokenHash)
    if (known?.fresh() && clock.now() < known.session.rolesUntil) return known.session
    cached.delete(tokenHash)
    const { value: session, fresh } = await traced(engine, (reads) =>
      engine.transaction('read', (tx) => loadSession(tx, tokenHash, clock.now()), reads),
    )
    if (session && fresh) {
      // What one session was read from, all were: after a change none of them is current.
      const [oldest] = cached.values()
      if (cached.size > maxCached || oldest?.fresh() === false) cached.clear()
      cached.set(tokenHash, { session, fresh })
    }
    return session
  }
}
