/**
 * Authentication of requests. A session is a cookie with 160 random bits, an access token the same with a prefix;
 * only the fingerprint of either is stored. Only this module decides when one expires, when the use of a session is
 * stored, and which user it has.
 */
import { LRUCache } from 'lru-cache'
import type { SelectQueryBuilder } from 'kysely'
import { sessionsOfUser } from '@purlin/contract/rules/counts'
import type { Actor, RequestContext, World } from '#/context.ts'
import { addressOf, agentOf } from '#/clients.ts'
import { createBatchedLoad } from '#/concurrency/batched-load.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { isOutage, traced, type Begun } from '#/db/engine.ts'
import { hexOf } from '#/bytes.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import type { AccessTokenTable, SessionTable, Tables, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { type CredentialTable, loadSessions, type LoadedSession, mostInOneQuery } from './actors.ts'
import { bearerOf } from './bearer.ts'
import { cookieOf, setCookie } from './cookies.ts'

export interface Sessions {
  /** Starts a session. Returns its token, 40 hex characters. */
  start(tx: Tx, siloUserId: string, how?: Starting): Promise<string>
  /** Ends a session. */
  end(token: string, around?: Around): Promise<void>
  /** The user of a session, whose idle time starts again, or of an access token, whose use is noted. Throws 401. */
  authenticate(token: string): Promise<Actor>
  /** Sessions and access tokens by their tokens, without any effect on them. Those that do not exist are missing. */
  read(tx: Tx, tokens: readonly string[]): Promise<Map<string, HeldSession>>
  /** Sessions created or last used before these times, ms, have expired. */
  oldest(): { timeCreated: number; timeLastUsed: number }
  /** Deletes all sessions, access tokens and unfinished sign-ins that have expired. */
  deleteExpired(): Promise<void>
  /** The `Set-Cookie` header that hands out a token or, with an empty one, clears it. */
  cookie(token: string, secure: boolean): string
}

/** The client that signs in. The session that it had ends. */
type SignedInClient = Pick<RequestContext, 'sessionToken' | 'remote' | 'userAgent'>

export interface Starting {
  client?: SignedInClient
  /** The session at an identity provider, which can end this one. */
  provider?: Pick<SessionTable, 'providerId' | 'providerSubject' | 'providerSession'>
}

/** A new access token. Only this answer has it. */
export interface IssuedToken {
  id: string
  token: string
  timeExpires: number | null
}

/** Runs work in a transaction, with something before or after it. */
type Around = (begun: Begun, work: () => Promise<void>) => Promise<void>

/** A session as it was read. */
export interface HeldSession {
  actor: Actor
  /** The actor has these roles until then. */
  rolesUntil: number
  /** True until it expires, or would have expired. */
  isLive(): boolean
  /** Restarts its idle time. */
  renew(): void
}

const cookieName = 'session'
const accessTokenPrefix = 'purlin-token-'
const keyPrefix = 'purlin-key-'
// Use is stored this often, so that reads stay reads; that of a session at the latest after a tenth of its idle time.
const longestRenewMs = 60_000
const renewalsPerIdleTime = 10
const maxCached = 10_000

const noProvider = { providerId: null, providerSubject: null, providerSession: null }

/** The token in a Cookie header, or null. */
export const tokenOf = (cookieHeader: string | undefined): string | null => cookieOf(cookieHeader, cookieName)

/**
 * The token of a request, null without one. A cookie takes precedence, even an invalid one. Bearer tokens of other
 * kinds are ignored.
 */
export function credentialOf(headers: Readonly<Record<string, string>>): string | null {
  const cookie = tokenOf(headers['cookie'])
  // No session begins like an access token.
  if (cookie !== null) return tableOf(cookie) === 'session' ? cookie : ''
  const bearer = bearerOf(headers['authorization'])
  return bearer !== null && tableOf(bearer) === 'accessToken' ? bearer : null
}

const tableOf = (token: string): CredentialTable =>
  token.startsWith(accessTokenPrefix) || token.startsWith(keyPrefix) ? 'accessToken' : 'session'

/** The sessions of a world. Every caller gets the same object, with its caches. */
export const sessionsOf: (world: World) => Sessions = memoizeByObject(createSessions)

function createSessions(world: World): Sessions {
  const { engine, clock, ids, passwords } = world
  const { absoluteMs, idleMs } = world.sessions
  const load = createLoader(world)
  const renew = createRenewal(world)

  const oldest = () => ({ timeCreated: clock.now() - absoluteMs, timeLastUsed: clock.now() - idleMs })

  function isExpired(session: LoadedSession, table: CredentialTable): boolean {
    if (table === 'accessToken') return session.timeExpires !== null && session.timeExpires <= clock.now()
    const { timeCreated, timeLastUsed } = oldest()
    return session.timeCreated < timeCreated || session.timeLastUsed < timeLastUsed
  }

  const removeIn = async (tx: Tx, tokenHash: string) => {
    await tx.deleteFrom('session').where('tokenHash', '=', tokenHash).execute()
  }
  const remove = (tokenHash: string, around: Around = (_, work) => work()) =>
    evenWhileFull(() =>
      engine.transaction('write', (tx, pipelineWithCommit) =>
        around({ tx, pipelineWithCommit }, () => removeIn(tx, tokenHash)),
      ),
    )

  async function authenticate(token: string): Promise<Actor> {
    const tokenHash = passwords.fingerprint(token)
    const table = tableOf(token)
    const session = await load(table, tokenHash)
    if (!session) throw fault.unauthorized()
    if (isExpired(session, table)) {
      if (table === 'session') await remove(tokenHash)
      throw fault.unauthorized()
    }
    renew(session, [table, tokenHash])
    return session.actor
  }

  return {
    async start(tx, siloUserId, { client, provider = noProvider } = {}) {
      if (client?.sessionToken) await removeIn(tx, passwords.fingerprint(client.sessionToken))
      const token = hexOf(ids.bytes(20))
      const now = clock.now()
      const tokenHash = passwords.fingerprint(token)
      const times = { timeCreated: now, timeLastUsed: now }
      const seen = {
        address: client ? addressOf(client.remote) : null,
        userAgent: agentOf(client?.userAgent),
      }
      const row = { id: ids.uuid(), tokenHash, siloUserId, ...times, ...seen, ...provider }
      await tx.insertInto('session').values(row).execute()
      await tx.updateTable('siloUser').set({ timeLastSignedIn: now }).where('id', '=', siloUserId).execute()
      await endOldest(tx, siloUserId)
      return token
    },
    end: (token, around) => remove(passwords.fingerprint(token), around),
    authenticate,
    oldest,
    async read(tx, tokens) {
      const held = new Map<string, HeldSession>()
      for (const table of ['session', 'accessToken'] as const) {
        const own = tokens.filter((token) => tableOf(token) === table)
        const byHash = new Map(own.map((token) => [passwords.fingerprint(token), token]))
        for (const [hash, session] of await loadSessions(tx, [table, [...byHash.keys()]], clock.now()))
          held.set(byHash.get(hash) ?? '', {
            actor: session.actor,
            rolesUntil: session.rolesUntil,
            isLive: () => !isExpired(session, table),
            renew: () => renew(session, [table, hash]),
          })
      }
      return held
    },
    deleteExpired: () => engine.transaction('write', (tx) => deleteExpired(tx, oldest(), clock.now())),
    cookie(token, secure) {
      const seconds = token ? Math.floor(absoluteMs / 1000) : 0
      return setCookie({ name: cookieName, value: token, path: '/', sameSite: 'Lax', seconds, secure })
    },
  }
}

/** The part of a new access token that makes it the key of a service account. */
type KeyColumns = Pick<AccessTokenTable, 'label' | 'isReadOnly' | 'onlyProjectId'>

/**
 * Makes an access token that is valid for `ttl` seconds, null without end: one of a person, with the name that it was
 * given, or the key of a service account.
 */
export async function issueAccessToken(
  { ids, clock, passwords }: World,
  tx: Tx,
  {
    siloUserId,
    ttl,
    name = null,
    key,
  }: { siloUserId: string; ttl: number | null; name?: string | null; key?: KeyColumns },
): Promise<IssuedToken> {
  const token = `${key ? keyPrefix : accessTokenPrefix}${hexOf(ids.bytes(20))}`
  const timeCreated = clock.now()
  const timeExpires = ttl === null ? null : timeCreated + ttl * 1000
  const row = {
    id: ids.uuid(),
    siloUserId,
    tokenHash: passwords.fingerprint(token),
    timeCreated,
    timeExpires,
    timeLastUsed: null,
    ...(key ?? { label: name, isReadOnly: null, onlyProjectId: null }),
  }
  await tx.insertInto('accessToken').values(row).execute()
  return { id: row.id, token, timeExpires }
}

async function deleteExpired(
  tx: Tx,
  { timeCreated, timeLastUsed }: ReturnType<Sessions['oldest']>,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('session')
    .where((eb) => eb.or([eb('timeLastUsed', '<', timeLastUsed), eb('timeCreated', '<', timeCreated)]))
    .execute()
  await tx.deleteFrom('accessToken').where('timeExpires', '<=', now).execute()
  for (const table of ['signInChallenge', 'signInTest'] as const)
    await tx.deleteFrom(table).where('timeExpires', '<=', now).execute()
}

/** Stores that a session or access token is used, unless that was stored a short time ago. */
function createRenewal({ engine, clock, log, sessions: { idleMs } }: World) {
  const renewMs = Math.min(longestRenewMs, idleMs / renewalsPerIdleTime)
  // Requests at the same time may all have read the session as it was before.
  const renewed = new LRUCache<string, number>({ maxSize: maxCached, sizeCalculation: () => 1 })

  return (session: LoadedSession, [table, tokenHash]: readonly [CredentialTable, string]): void => {
    const now = clock.now()
    const oftenMs = table === 'session' ? renewMs : longestRenewMs
    if (now - Math.max(session.timeLastUsed, renewed.get(tokenHash) ?? 0) <= oftenMs) return
    session.timeLastUsed = now
    renewed.set(tokenHash, now)
    engine
      .transaction('write', (tx) =>
        tx.updateTable(table).set({ timeLastUsed: now }).where('tokenHash', '=', tokenHash).execute(),
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

/** Deletes what users prove themselves with, and what would become it, and cancels the tasks that they have begun. */
export async function endAllOf(
  tx: Tx,
  users: { id: string } | SelectQueryBuilder<Tables, 'siloUser', { id: string }>,
  except = '',
): Promise<void> {
  for (const table of ['session', 'accessToken', 'deviceRequest', 'signInChallenge', 'signInTest'] as const) {
    const all = tx.deleteFrom(table).where('id', '!=', except)
    await (
      'id' in users ? all.where('siloUserId', '=', users.id) : all.where('siloUserId', 'in', users)
    ).execute()
  }
  // The tasks of schedules belong to no session.
  const open = except === '' ? openTasks(tx) : openTasks(tx).where('sessionId', '!=', except)
  await ('id' in users ? open.where('userId', '=', users.id) : open.where('userId', 'in', users)).execute()
}

/** Ends a session of a user, and cancels the tasks that were begun with it. False if there is none. */
export async function endSession(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('siloUserId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  await openTasks(tx).where('userId', '=', userId).where('sessionId', '=', id).execute()
  return numDeletedRows > 0n
}

/** Ends sessions of any users, and cancels the tasks that were begun with them. */
export async function endSessionsIn(
  tx: Tx,
  sessions: SelectQueryBuilder<Tables, 'session', object>,
): Promise<void> {
  const ids = sessions.select('session.id')
  await openTasks(tx)
    .where('userId', 'in', sessions.select('siloUserId'))
    .where('sessionId', 'in', ids)
    .execute()
  await tx.deleteFrom('session').where('id', 'in', ids).execute()
}

/** Deletes an access token of a user, and cancels the tasks that were begun with it. False if there is none. */
export async function endAccessToken(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('accessToken')
    .where('siloUserId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  await openTasks(tx).where('userId', '=', userId).where('sessionId', '=', id).execute()
  return numDeletedRows > 0n
}

const openTasks = (tx: Tx) =>
  tx
    .updateTable('task')
    .set({ state: 'canceled' })
    .where('timeEnded', 'is', null)
    .where('state', 'in', ['waiting', 'running'])

/** Two, so that a read that the database does not answer does not block all others. */
const loadsAtOnce = 2

// Changes by requests are noticed at once; this is for changes by a command.
const longestCachedMs = 60_000

interface Cached {
  session: LoadedSession
  /** When it was read. */
  at: number
  /** Undefined if changes by others would not be noticed. */
  fresh: (() => boolean) | undefined
}

/** Reads sessions and access tokens, and caches them until a table that they were read from changes or a role expires. */
function createLoader({ engine, clock }: World) {
  const cached = new LRUCache<string, Cached>({ maxSize: maxCached, sizeCalculation: () => 1 })
  const loaderOf = (table: CredentialTable) =>
    createBatchedLoad(
      async (tokenHashes: readonly string[]): Promise<Map<string, Cached>> => {
        const { value, fresh } = await traced(engine, (reads) =>
          engine.transaction('read', (tx) => loadSessions(tx, [table, tokenHashes], clock.now()), reads),
        )
        const at = clock.now()
        return new Map([...value].map(([hash, session]) => [hash, { session, at, fresh }]))
      },
      { running: loadsAtOnce, keys: mostInOneQuery },
    )
  const load = { session: loaderOf('session'), accessToken: loaderOf('accessToken') }
  return async (table: CredentialTable, tokenHash: string): Promise<LoadedSession | null> => {
    const key = `${table} ${tokenHash}`
    const known = cached.get(key)
    if (known?.fresh?.() && clock.now() < Math.min(known.session.rolesUntil, known.at + longestCachedMs))
      return known.session
    cached.delete(key)
    const loaded = await load[table](tokenHash)
    if (loaded?.fresh) {
      // All sessions were read from the same tables: after a change none of them is current.
      const [oldest] = cached.rvalues()
      if (oldest?.fresh?.() === false) cached.clear()
      cached.set(key, loaded)
    }
    return loaded?.session ?? null
  }
}
