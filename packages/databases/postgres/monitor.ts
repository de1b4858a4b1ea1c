/**
 * A separate connection that monitors the database. It receives the messages of other servers and reads the database's
 * clock. While it is broken, the database counts as away.
 */
import pg, { type ClientConfig } from 'pg'
import { DatabaseUnavailable, missedMessages } from '@purlin/core/ports'
import { reasonOf } from './errors.ts'
import { createHeartbeat, type Heartbeat } from './heartbeat.ts'
import { shareLock } from './locks.ts'
import { settings, type PrepareSession } from './settings.ts'
import { disconnect } from './watch.ts'

/** Events for the operator. Each is reported once, when it begins. */
export type MonitorEvent =
  | { at: 'away'; reason: string }
  | { at: 'back'; afterMs: number }
  /** All connections are in use, or the database accepts no more. */
  | { at: 'full'; reason: string }
  /** A server of an older version drives all hosts, until it ends. */
  | { at: 'older' }

type State =
  | { at: 'new'; opening?: Promise<void> }
  | { at: 'available'; client: pg.Client; heartbeat: Heartbeat }
  | { at: 'away'; since: number; reason: string; isReported: boolean; back: PromiseWithResolvers<void> }
  | { at: 'closed' }

interface MonitorHooks {
  prepare: PrepareSession
  onEvent: (event: MonitorEvent) => void
  onAway: () => void
}

const channel = 'purlin'
/** A server of an older version that drives hosts has it for itself. */
const hosts = 'rack'

export class Monitor {
  readonly #parameters: ClientConfig
  readonly #prepare: PrepareSession
  readonly #onEvent: (event: MonitorEvent) => void
  readonly #onAway: () => void
  readonly #listeners: ((message: string) => void)[] = []
  #state: State = { at: 'new' }
  #clock = { database: Date.now(), monotonic: performance.now() }
  /** Whether the present session shares the lock of those that drive hosts. */
  #mayDrive = false
  #isOlderReported = false

  /** `onEvent` reports outages; `onAway` is called when one is certain. */
  constructor(parameters: ClientConfig, { prepare, onEvent, onAway }: MonitorHooks) {
    // Messages and checks share the connection without waiting for each other.
    this.#parameters = { ...parameters, pipeline: true, connectionTimeoutMillis: settings.answerMs }
    this.#prepare = prepare
    this.#onEvent = onEvent
    this.#onAway = onAway
  }

  /** Undefined while the database answers. Rejects with DatabaseUnavailable if an outage lasts. */
  ready(): Promise<void> | undefined {
    const state = this.#state
    switch (state.at) {
      case 'available':
        return undefined
      case 'new':
        state.opening ??= this.#connect().catch((error: unknown) => {
          delete state.opening
          throw new DatabaseUnavailable(reasonOf(error), { cause: error })
        })
        return state.opening
      case 'away':
        return endOf(state)
      case 'closed':
        return Promise.reject(new DatabaseUnavailable('it has been closed'))
    }
  }

  /** Asks the database for an answer, because there is a reason for doubt. */
  check(): void {
    if (this.#state.at === 'available') this.#state.heartbeat.ask()
  }

  /** The database's time, ms since 1970. */
  now(): number {
    return Math.floor(this.#clock.database + performance.now() - this.#clock.monotonic)
  }

  /** False while a server of an older version drives all hosts. */
  mayDrive(): boolean {
    return this.#mayDrive
  }

  /** Sends the other servers a message. They may miss it. */
  send(message: string): void {
    if (this.#state.at !== 'available') return
    this.#state.client.query('select pg_notify($1, $2)', [channel, message]).catch(() => undefined)
  }

  listen(onMessage: (message: string) => void): void {
    this.#listeners.push(onMessage)
  }

  async close(): Promise<void> {
    const last = this.#state
    this.#state = { at: 'closed' }
    if (last.at === 'available') await last.client.end()
    if (last.at === 'away') last.back.reject(new DatabaseUnavailable('it has been closed'))
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#parameters)
    client.on('error', (error) => this.#lose(client, { reason: reasonOf(error) }))
    client.on('end', () => this.#lose(client, { reason: 'the connection ended' }))
    client.on('notification', ({ processId, payload }) => {
      const own = (client as unknown as { processID: number | null }).processID
      if (processId !== own) for (const listener of this.#listeners) listener(payload ?? '')
    })
    const heartbeat = createHeartbeat(
      () => this.#look(client),
      (error) => this.#lose(client, { reason: reasonOf(error), isSilent: true }),
    )
    try {
      await client.connect()
      const timer = setInterval(heartbeat.tick, settings.heartbeatMs).unref()
      client.on('end', () => clearInterval(timer))
      await this.#prepare(client)
      this.#mayDrive = false
      await this.#look(client)
      await client.query(`listen ${channel}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    if (this.#state.at === 'closed') return client.end()
    this.#state = { at: 'available', client, heartbeat }
  }

  async #look(client: pg.Client): Promise<void> {
    await this.#readClock(client)
    if (this.#mayDrive) return
    this.#mayDrive = await shareLock(client, hosts)
    if (!this.#mayDrive && !this.#isOlderReported) this.#onEvent({ at: 'older' })
    this.#isOlderReported = !this.#mayDrive
  }

  async #readClock(client: pg.Client): Promise<void> {
    const sentAt = performance.now()
    const { rows } = await client.query<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    )
    const answered = performance.now()
    this.#clock = { database: rows[0]?.now ?? Date.now(), monotonic: (sentAt + answered) / 2 }
  }

  #lose(client: pg.Client, { reason, isSilent = false }: { reason: string; isSilent?: boolean }): void {
    disconnect(client)
    if (this.#state.at !== 'available' || this.#state.client !== client) return
    const back = Promise.withResolvers<void>()
    // The promise may have no reader.
    back.promise.catch(() => undefined)
    this.#state = { at: 'away', since: performance.now(), reason, isReported: false, back }
    if (isSilent) this.#report(reason)
    void this.#reconnect()
  }

  #report(reason: string): void {
    if (this.#state.at !== 'away') return
    const { isReported } = this.#state
    this.#state = { ...this.#state, reason, isReported: true }
    if (isReported) return
    this.#onAway()
    this.#onEvent({ at: 'away', reason })
  }

  /** A connection that ended may be one of many: only if no other can be made the database is away. */
  async #reconnect(): Promise<void> {
    for (let pauseMs = 25; ; pauseMs = Math.min(2 * pauseMs, settings.longestPauseMs)) {
      const state = this.#state
      if (state.at !== 'away') return
      try {
        await this.#connect()
        state.back.resolve()
        // Messages of either side may have got lost.
        this.send(missedMessages)
        for (const listener of this.#listeners) listener(missedMessages)
        if (state.isReported)
          this.#onEvent({ at: 'back', afterMs: Math.round(performance.now() - state.since) })
      } catch (error) {
        this.#report(reasonOf(error))
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
}

/** Resolves when the database is back. Rejects once the outage lasts longer than anybody should wait. */
async function endOf({ since, reason, back }: State & { at: 'away' }): Promise<void> {
  const left = since + settings.patienceMs - performance.now()
  if (left <= 0) throw new DatabaseUnavailable(reason)
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.reject(new DatabaseUnavailable(reason)), left)
  await Promise.race([back.promise, late.promise]).finally(() => clearTimeout(timer))
}
