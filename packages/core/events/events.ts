/**
 * Notifies the watchers of lists and views of changed answers: decision 0039. When a table changes that an answer was
 * read from, its address is read again, as the user who watches it. No other rule connects changes and addresses, so
 * none can be forgotten, and no user learns of changes that they may not read.
 */
import type { AbortSignalLike } from '@purlin/contract/http'
import { limits } from '@purlin/contract/rules/limits'
import { sessionTables } from '#/auth/actors.ts'
import { sessionsOf, type HeldSession } from '#/auth/sessions.ts'
import type { Actor, Subscription, World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import type { TableName } from '#/db/tables.ts'
import { fault, type Fault } from '#/faults.ts'
import { createWrites, type Writes } from './writes.ts'
import { EventStream, type Watched } from './stream.ts'

/** The answer of an address to a user: `refused` is the error if it cannot be read. */
export interface Answered {
  digest: string
  tables: ReadonlySet<TableName>
  refused?: Fault
}

/** Only the load of the server refuses it: that is not what the address answers, and a later read may succeed. */
const isForNow = ({ refused }: Answered): boolean => refused?.status === 429 || refused?.status === 503

/** Reads addresses. */
export interface Scopes {
  read(address: string, actor: Actor, signal?: AbortSignalLike): Promise<Answered>
  /** True if all users with the same roles get the same answer. */
  isOfProjects(address: string): boolean
}

export interface Events {
  /** Starts to watch. Throws what reading one of the addresses throws, unless its answer is known from before. */
  open(by: Opener, subscription: Subscription): Promise<EventStream>
}
interface Opener {
  token: string | null
  actor: Actor | null
  /** Aborted once the reader has gone. */
  signal: AbortSignalLike | undefined
}

// Changes within this time are one event.
const mergeMs = 100
/** Clients notice a server that is frozen by the absence of heartbeats. */
const heartbeatMs = 5000
const checkSessionsMs = 15_000
// Messages of other servers may get lost.
const rescanMs = 60_000
const togetherReads = 8
const sessionsPerRead = 500

/** Actors with the same key get the same answers. */
const rightsOf = ({ siloId, siloRole, fleetRole, projectRoles, scope }: Actor): string =>
  JSON.stringify([
    siloId,
    scope?.projectId,
    siloRole,
    fleetRole,
    [...projectRoles].map(([id, role]) => `${id} ${role}`).toSorted(),
  ])

interface Broadcaster {
  world: World
  scopes: Scopes
  streams: Set<EventStream>
  writes: Writes
}

export function createEvents(world: World, scopes: Scopes): Events {
  const streams = new Set<EventStream>()
  const writes = createWrites(world, () => rounds.soon())
  const broadcaster: Broadcaster = { world, scopes, streams, writes }
  const rounds = createRounds(broadcaster)

  function forget(stream: EventStream): void {
    if (streams.delete(stream) && streams.size === 0) {
      writes.stop()
      rounds.stop()
    }
  }
  function begin({ token, actor }: Opener): EventStream {
    if (token === null || !actor) throw fault.unauthorized()
    refuseTooMany(streams, token, actor)
    const stream = new EventStream({ token, actor, now: () => world.clock.now(), onEnd: forget })
    if (streams.size === 0) {
      writes.start()
      rounds.start()
    }
    streams.add(stream)
    return stream
  }

  return {
    async open(by, { scopes: addresses, known, follow }) {
      const stream = begin(by)
      try {
        const watched: Watched[] = []
        const until = world.clock.now() + limits.events.firstLookMs
        for (const [i, address] of addresses.entries()) {
          if (world.clock.now() > until) throw fault.slowScopes()
          const one = await firstRead(broadcaster, stream.actor, {
            address,
            known: known[i],
            signal: by.signal,
          })
          watched.push(one)
          if (known[i] && known[i] !== one.digest) stream.notify(one)
        }
        stream.watched = watched
      } catch (error) {
        forget(stream)
        throw error
      }
      if (!follow) stream.finish()
      else rounds.soon()
      return stream
    },
  }
}

function refuseTooMany(streams: ReadonlySet<EventStream>, token: string, { userId }: Actor): void {
  const { perSession, perUser, all } = limits.events
  if (streams.size >= all) throw fault.tooManyStreams(all, 'the server has')
  const own = [...streams].filter((one) => one.actor.userId === userId)
  if (own.length >= perUser) throw fault.tooManyStreams(perUser, 'you have')
  if (own.filter((one) => one.token === token).length >= perSession)
    throw fault.tooManyStreams(perSession, 'this session has')
}

async function firstRead(
  { scopes, writes }: Broadcaster,
  actor: Actor,
  { address, known, signal }: { address: string; known: string | undefined; signal: Opener['signal'] },
): Promise<Watched> {
  if (signal?.aborted) throw fault.clientGone()
  const readAt = writes.last()
  const answer = await scopes.read(address, actor, signal)
  const { refused, ...answered } = answer
  if (refused && !known) throw refused
  if (known && isForNow(answer)) return { address, digest: known, tables: answered.tables, readAt: -1 }
  // An address that could be read before the stream broke, and cannot be now, has changed.
  return { address, ...answered, readAt }
}

interface Rounds {
  start(): void
  /** Schedules a scan for changes after the running one. */
  soon(): void
  stop(): void
}

/** The schedule of scans: soon after a change, with pauses for other work of the process. */
function createRounds(broadcaster: Broadcaster): Rounds {
  const { world, streams } = broadcaster
  const { clock, log } = world
  const scan = createScan(broadcaster)
  let isWaiting = false
  let isAgain = false
  let tookMs = 0
  let cancelHeartbeat = () => {}

  function retryLater(): void {
    isAgain = true
    tookMs = 1000
  }
  async function runScan(): Promise<void> {
    const began = clock.now()
    isAgain = false
    try {
      const isDone = await scan()
      if (!isDone) retryLater()
    } catch (error) {
      // An outage of the database is logged separately.
      if (!isOutage(error))
        log.error({ stack: error instanceof Error ? error.stack : String(error) }, 'events not sent')
      retryLater()
    }
    tookMs = Math.max(clock.now() - began, isAgain ? tookMs : 0)
    isWaiting = false
    if (isAgain && streams.size > 0) soon()
  }
  function soon(): void {
    isAgain = true
    if (isWaiting || streams.size === 0) return
    isWaiting = true
    clock.after(Math.max(mergeMs, 2 * tookMs), () => void runScan())
  }
  function heartbeat(): void {
    for (const stream of streams) stream.heartbeat()
    soon()
    cancelHeartbeat = clock.after(heartbeatMs, heartbeat)
  }
  return {
    start: () => (cancelHeartbeat = clock.after(heartbeatMs, heartbeat)),
    soon,
    stop: () => cancelHeartbeat(),
  }
}

/** Looks once at all streams. Returns false if an address could not be read because of the load of the server. */
function createScan(broadcaster: Broadcaster): () => Promise<boolean> {
  const { world, streams, writes } = broadcaster
  let sessionsAt = -1
  let checkedAt = Number.NEGATIVE_INFINITY
  let allAt = world.clock.now()
  return async () => {
    const at = writes.last()
    const now = world.clock.now()
    if (writes.since(sessionTables, sessionsAt) || now - checkedAt >= checkSessionsMs) {
      await checkSessions(broadcaster)
      sessionsAt = at
      checkedAt = now
    }
    const isAll = world.engine.messages !== undefined && now - allAt >= rescanMs
    if (isAll) allAt = now
    const due = new Map<string, [EventStream, Watched][]>()
    for (const stream of streams)
      for (const watched of stream.watched)
        if (isAll || writes.since(watched.tables, watched.readAt))
          add(due, keyOf(broadcaster, stream, watched), [stream, watched])
    const groups = [...due.values()]
    const read: boolean[] = []
    for (let i = 0; i < groups.length; i += togetherReads)
      read.push(
        ...(await Promise.all(
          groups.slice(i, i + togetherReads).map((group) => readAgain(broadcaster, group)),
        )),
      )
    return !read.includes(false)
  }
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Watchers with the same key get the same answer. */
function keyOf({ scopes }: Broadcaster, { actor }: EventStream, { address }: Watched): string {
  const who = scopes.isOfProjects(address) ? '' : actor.userId
  return `${who} ${rightsOf(actor)} ${address}`
}

/**
 * Reads an address again for all who are still there and get the same answer. Returns false if the load of the server
 * prevents it.
 */
async function readAgain(
  { scopes, writes, streams }: Broadcaster,
  readers: readonly [EventStream, Watched][],
): Promise<boolean> {
  const group = readers.filter(([stream]) => streams.has(stream))
  const [first] = group
  if (!first) return true
  const readAt = writes.last()
  const answer = await scopes.read(first[1].address, first[0].actor)
  // It stays due, and the next round reads it.
  if (isForNow(answer)) return false
  const { digest, tables } = answer
  for (const [stream, watched] of group) {
    const isChanged = watched.digest !== digest
    Object.assign(watched, { digest, tables, readAt })
    if (isChanged) stream.notify(watched)
  }
  return true
}

/**
 * Ends the streams whose session has ended. If the roles of a user have changed, all addresses of the stream are read
 * again.
 */
async function checkSessions({ world, streams }: Broadcaster): Promise<void> {
  const subscribed = new Set([...streams].map((one) => one.token))
  const tokens = [...subscribed]
  const sessions = new Map<string, HeldSession>()
  for (let i = 0; i < tokens.length; i += sessionsPerRead) {
    const some = tokens.slice(i, i + sessionsPerRead)
    const read = await world.engine.transaction('read', (tx) => sessionsOf(world).read(tx, some))
    for (const [token, session] of read) sessions.set(token, session)
  }
  for (const stream of streams) {
    // The next scan covers streams that were opened since.
    if (!subscribed.has(stream.token)) continue
    const session = sessions.get(stream.token)
    if (!session?.isLive()) stream.finish()
    else if (rightsOf(session.actor) !== rightsOf(stream.actor)) {
      stream.actor = session.actor
      for (const watched of stream.watched) watched.readAt = -1
    }
  }
}
