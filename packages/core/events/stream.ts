/** One stream of events: its addresses, and the changes that are not sent yet. */
import { eventIdOf } from '@purlin/contract/rules/events'
import type { Actor } from '#/context.ts'
import type { TableName } from '#/db/tables.ts'

/** An address of a stream, and its last answer. */
export interface Watched {
  readonly address: string
  digest: string
  /** The tables that the answer was read from. */
  tables: ReadonlySet<TableName>
  /** The number of the last commit before it was read; -1 if it has to be read. */
  readAt: number
}

/**
 * The text of a stream, created when it is read. The changes that a slow reader has not received are a set of its
 * addresses, so they never grow beyond these.
 */
export class EventStream implements AsyncIterableIterator<string> {
  readonly token: string
  actor: Actor
  watched: readonly Watched[] = []
  readonly #now: () => number
  readonly #onEnd: (stream: EventStream) => void
  readonly #changed = new Set<Watched>()
  #isBegun = false
  #isHeartbeatDue = false
  #state: 'open' | 'last' | 'ended' = 'open'
  #waiting: ((result: IteratorResult<string>) => void) | undefined

  constructor(of: { token: string; actor: Actor; now: () => number; onEnd: (stream: EventStream) => void }) {
    this.token = of.token
    this.actor = of.actor
    this.#now = of.now
    this.#onEnd = of.onEnd
  }

  /** Marks an address as changed. */
  notify(watched: Watched): void {
    this.#changed.add(watched)
    this.#push()
  }

  /** Shows the reader, and proxies in between, that the stream is alive. */
  heartbeat(): void {
    this.#isHeartbeatDue = true
    this.#push()
  }

  /** Ends after the pending changes are sent. */
  finish(): void {
    if (this.#state === 'open') this.#state = 'last'
    this.#onEnd(this)
    this.#push()
  }

  next(): Promise<IteratorResult<string>> {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<string>>()
    this.#waiting = resolve
    this.#push()
    return promise
  }

  /** The reader has gone. */
  return(): Promise<IteratorResult<string>> {
    this.#state = 'ended'
    this.#changed.clear()
    this.#onEnd(this)
    this.#waiting?.({ done: true, value: undefined })
    this.#waiting = undefined
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #push(): void {
    const waiting = this.#waiting
    if (!waiting) return
    const text = this.#state === 'ended' ? '' : this.#take()
    if (text === '' && this.#state === 'open') return
    this.#waiting = undefined
    waiting(text === '' ? { done: true, value: undefined } : { done: false, value: text })
  }

  #take(): string {
    const at = new Date(this.#now()).toISOString()
    const id = eventIdOf(this.watched.map((one) => one.digest))
    const event = (name: string, data: object) =>
      `event: ${name}\nid: ${id}\ndata: ${JSON.stringify({ ...data, at })}\n\n`
    let text = this.#isBegun ? '' : event('watching', {})
    for (const { address } of this.#changed) text += event('changed', { scope: address })
    if (this.#isHeartbeatDue && text === '') text = ':\n\n'
    this.#isBegun = true
    this.#isHeartbeatDue = false
    this.#changed.clear()
    return text
  }
}
