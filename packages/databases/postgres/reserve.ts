/**
 * Room on the volume of the database that a server holds, so that deletes can be recorded when the volume is full. A
 * cursor holds it: its rows are in a temporary file, which goes with the cursor or its session, and nothing has to be
 * written for that.
 */
import pg, { type ClientBase, type ClientConfig } from 'pg'
import { ConnectionLost, isVolumeFull, meaningOf, reasonOf } from './errors.ts'
import type { PrepareSession } from './settings.ts'
import { disconnect } from './watch.ts'

export interface DatabaseReserve {
  /** True from when the reserve was given up until there is room again: then only what frees room may be written. */
  isFull: () => boolean
  /** To be called when a write finds the volume full. Resolves when the room of the reserve is free. */
  giveUp: () => Promise<void>
  close: () => Promise<void>
}

export type ReserveEvent = { at: 'storageFull' } | { at: 'storageBack' } | { at: 'noReserve'; reason: string }

interface ReserveHooks {
  prepare: PrepareSession
  onEvent: (event: ReserveEvent) => void
  messages: { send: (message: string) => void; listen: (onMessage: (message: string) => void) => void }
}

/** Rows of 8 KiB. The log of the database grows by 16 MiB at a time: three of them. */
const rows = 6 * 1024
/** There has to be this many times the room of the reserve in addition to it before all writes are accepted again. */
const more = 2
const pauses = { usual: 2_000, whileFull: 10_000, impossible: 60_000 }
const statementMs = 60_000
const fullMessage = 'storage full'

/** Digests, which no file system compresses much. The rows are made one by one, so that none has to be sorted. */
const held = (name: string, count: number) => `declare ${name} cursor with hold for
  select (select string_agg(encode(sha512(int4send(i * 64 + j)), 'hex'), '') from generate_series(1, 64) j)
  from generate_series(1, ${count}) i`

/** Runs a statement that takes room. False if there is none. */
async function fits(client: ClientBase, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch (error) {
    if (isVolumeFull(error)) return false
    throw error
  }
}

/** Makes a cursor that holds room. False if there is none. */
async function take(client: ClientBase, name: string, count: number): Promise<boolean> {
  if (!(await fits(client, held(name, count)))) return false
  // To go to the first row it writes the last ones, which it could not write, nor then close, once the volume is full.
  const isWritten = await fits(client, `move ${name}`)
  if (!isWritten) disconnect(client)
  return isWritten
}

async function openSession(parameters: ClientConfig, prepare: PrepareSession): Promise<pg.Client> {
  const client = new pg.Client(parameters)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await prepare(client, { statement_timeout: statementMs })
    // In memory, or on another volume, they would hold no room on this one.
    await client.query(`set work_mem = '64kB'; set temp_tablespaces = ''`)
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** Holds a reserve from when it is made, as soon as the database answers. */
export class Reserve implements DatabaseReserve {
  readonly #parameters: ClientConfig
  readonly #hooks: ReserveHooks
  #client: pg.Client | undefined
  #isHeld = false
  /** How often it was given up. */
  #times = 0
  #isFull = false
  #isImpossible = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #looking = Promise.resolve()

  constructor(parameters: ClientConfig, hooks: ReserveHooks) {
    this.#parameters = parameters
    this.#hooks = hooks
    hooks.messages.listen((message) => {
      if (message === fullMessage && !this.#isImpossible) this.#setFull(true)
    })
    this.#next()
  }

  isFull(): boolean {
    return this.#isFull
  }

  async giveUp(): Promise<void> {
    if (this.#isImpossible) return
    if (!this.#isFull) this.#hooks.messages.send(fullMessage)
    this.#setFull(true)
    this.#times++
    this.#isHeld = false
    const client = this.#client
    // Behind what is under way, of which it closes the cursors too.
    await client?.query('close all').catch(() => disconnect(client))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#client) disconnect(this.#client)
    await this.#looking
    if (this.#client) disconnect(this.#client)
  }

  #next(): void {
    this.#looking = this.#look()
      .catch((error: unknown) => this.#noteFailure(error))
      .then(() => {
        const { impossible, whileFull, usual } = pauses
        const pause = this.#isImpossible ? impossible : this.#isFull ? whileFull : usual
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#next(), pause).unref()
      })
  }

  async #look(): Promise<void> {
    const client = (this.#client ??= await this.#open())
    const times = this.#times
    const isSame = () => this.#client === client && this.#times === times
    if (this.#isFull) {
      // The reserve alone would take the room of deletes.
      const hasRoom = await take(client, 'room', (this.#isHeld ? more : 1 + more) * rows)
      if (!hasRoom || !isSame()) return
      await client.query('close room')
    }
    const isHeld = this.#isHeld || (await take(client, 'reserve', rows))
    if (!isSame()) return
    this.#isHeld = isHeld
    this.#isImpossible = false
    this.#setFull(!isHeld)
  }

  async #open(): Promise<pg.Client> {
    const client = await openSession(this.#parameters, this.#hooks.prepare)
    client.on('end', () => {
      this.#client = undefined
      this.#isHeld = false
    })
    return client
  }

  #noteFailure(error: unknown): void {
    // While the database is away there is nothing to hold.
    if (meaningOf(error) instanceof ConnectionLost || this.#isImpossible) return
    this.#isImpossible = true
    this.#setFull(false)
    this.#hooks.onEvent({ at: 'noReserve', reason: reasonOf(error) })
  }

  #setFull(now: boolean): void {
    if (this.#isFull === now) return
    this.#isFull = now
    this.#hooks.onEvent({ at: now ? 'storageFull' : 'storageBack' })
  }
}
