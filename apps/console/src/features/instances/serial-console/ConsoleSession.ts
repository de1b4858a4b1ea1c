/** The connection of a serial console: connecting, connected, reconnecting. */
import type { ConsoleSocket, SocketEvents } from '#/api/transport.ts'
import { createStore, type Store } from '#/lib/store.ts'
import { PacedSender, type Timer } from './typing.ts'

/** Where output goes. */
export interface Screen {
  write(bytes: Uint8Array): void
  /** Clears the screen before a replay of earlier output. The terminal sends nothing until `live`. */
  reset(): void
  /** The replay has ended. */
  live(): void
}

export type ConsoleState =
  /** Not connected yet: there is no screen, or the instance has no console now. */
  | { at: 'idle' }
  | { at: 'connecting' }
  | { at: 'open' }
  /** `retryAt` in ms, null without a retry. `failed`: an error, or never connected. `isNone`: there is no console. */
  | { at: 'lost'; reason: string; failed: boolean; retryAt: number | null; isNone?: boolean }

export interface SessionEnvironment {
  timer: Timer
  open(on: SocketEvents): ConsoleSocket
  /** Browsers do not say why a socket was rejected; this finds out. */
  explain(): Promise<string>
  /** True if a connection that the server ends before its first byte is not tried again: there is nothing to connect to. */
  needsOutput?: boolean
}

const longestWaitMs = 30_000
/** The time limit for connecting. */
const connectTimeoutMs = 20_000
/** A connection that lasted this long resets the delay of retries. */
const stableMs = 10_000
const wait = (attempts: number) => Math.min(longestWaitMs, 1000 * 2 ** Math.min(attempts, 10))

/**
 * Connects when the instance has a console and a screen is there. Reconnects with growing delays, but not while the
 * instance has no console.
 */
export class ConsoleSession {
  #env: SessionEnvironment
  readonly #state = createStore<ConsoleState>({ at: 'idle' })
  #screen: Screen | undefined
  #isAllowed = false
  #socket: ConsoleSocket | undefined
  #sender: PacedSender
  #attempts = 0
  /** Cancels the timer of the time limit or of the next retry. */
  #cancelTimer: (() => void) | undefined
  /** Counts sockets, so that late events of an earlier one are ignored. */
  #generation = 0

  constructor(env: SessionEnvironment) {
    this.#env = env
    this.#sender = new PacedSender((bytes) => this.#socket?.send(bytes), env.timer)
  }

  readonly subscribe = this.#state.subscribe
  readonly state = this.#state.get

  /** Called when the terminal is ready, and with undefined when it is gone. */
  readonly show = (screen: Screen | undefined): void => {
    this.#screen = screen
    if (screen) this.#connectIfIdle()
  }

  /** Whether the instance has a console now. */
  allow(isAllowed: boolean): void {
    if (isAllowed === this.#isAllowed) return
    this.#isAllowed = isAllowed
    const state = this.state()
    this.#clearTimer()
    if (isAllowed) this.reconnect()
    else if (state.at === 'lost') this.#state.set({ ...state, retryAt: null })
  }

  /** Connects now. */
  readonly reconnect = (): void => {
    this.#attempts = 0
    if (this.state().at === 'lost') this.#connect()
    else this.#connectIfIdle()
  }

  /** Sends typed bytes; drops them without a connection. */
  readonly type = (bytes: Uint8Array): void => {
    if (this.state().at === 'open') this.#sender.type(bytes)
  }

  /** How much of a long paste is sent, in percent; undefined without one. */
  get pasting(): Pick<Store<number | undefined>, 'get' | 'subscribe'> {
    return this.#sender.progress
  }

  /** Sends no more of what was pasted. */
  readonly stopPasting = (): void => this.#sender.stop()

  /** Closes the connection and resets the session. */
  close(): void {
    this.#generation += 1
    this.#clearTimer()
    this.#sender.clear()
    this.#socket?.close()
    this.#socket = undefined
    this.#state.set({ at: 'idle' })
  }

  #connectIfIdle(): void {
    if (this.state().at === 'idle') this.#connect()
  }

  #connect(): void {
    this.#clearTimer()
    if (!this.#isAllowed || !this.#screen) return
    this.#generation += 1
    const generation = this.#generation
    const ifCurrent =
      <A extends unknown[]>(handler: (...args: A) => void) =>
      (...args: A) => {
        if (generation === this.#generation) handler(...args)
      }
    let openedAt: number | undefined
    let hasOutput = false
    this.#state.set({ at: 'connecting' })
    this.#cancelTimer = this.#env.timer.after(connectTimeoutMs, () => {
      this.#generation += 1
      this.#socket?.close()
      this.#lost(undefined, 'the server did not answer in time', true)
    })
    this.#socket = this.#env.open({
      open: ifCurrent(() => {
        this.#clearTimer()
        openedAt = this.#env.timer.now()
        this.#screen?.reset()
        this.#state.set({ at: 'open' })
      }),
      data: ifCurrent((bytes) => {
        hasOutput = true
        if (bytes.length === 0) this.#screen?.live()
        else this.#screen?.write(bytes)
      }),
      closed: ifCurrent(({ reason, error }) => {
        const isNone = this.#env.needsOutput === true && !hasOutput && !error && reason !== ''
        if (isNone) this.#none(reason)
        else this.#lost(openedAt, reason, error)
      }),
    })
  }

  #none(reason: string): void {
    this.#clearTimer()
    this.#socket = undefined
    this.#state.set({ at: 'lost', reason, failed: false, retryAt: null, isNone: true })
  }

  #lost(openedAt: number | undefined, reason: string, error: boolean): void {
    const now = this.#env.timer.now()
    this.#clearTimer()
    this.#socket = undefined
    this.#sender.clear()
    if (openedAt !== undefined && now - openedAt >= stableMs) this.#attempts = 0
    const pause = wait(this.#attempts)
    this.#attempts += 1
    if (this.#isAllowed) this.#cancelTimer = this.#env.timer.after(pause, () => this.#connect())
    const retryAt = this.#isAllowed ? now + pause : null
    this.#state.set({ at: 'lost', reason, failed: error || openedAt === undefined, retryAt })
    if (reason === '' && openedAt === undefined) void this.#explain(this.#generation)
  }

  async #explain(generation: number): Promise<void> {
    const reason = await this.#env.explain()
    const state = this.state()
    if (generation === this.#generation && state.at === 'lost') this.#state.set({ ...state, reason })
  }

  #clearTimer(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }
}
