/** The life of one serial console in this page: connecting, being connected, and trying again. */
import type { ConsoleSocket, SocketEvents } from '../../../../../transport.ts'
import { Typist, type Timer } from './typing.ts'

/** Where output goes. */
export interface Screen {
  write(bytes: Uint8Array): void
  /** Empties the screen, because what comes next repeats what it shows. */
  reset(): void
}

export type ConsoleState =
  /** Nothing was tried yet: there is no screen, or the instance has no console now. */
  | { at: 'idle' }
  | { at: 'connecting' }
  | { at: 'open' }
  /** `retryAt` in ms, null if nothing will be tried by itself. `failed`: it broke or was never made. */
  | { at: 'lost'; reason: string; failed: boolean; retryAt: number | null }

export interface SessionWorld {
  timer: Timer
  open(on: SocketEvents): ConsoleSocket
  /** Browsers do not say why a socket was refused; this finds out. */
  explain(): Promise<string>
}

const longestWaitMs = 30_000
/** An answer that takes longer will not come. */
const patienceMs = 20_000
/** A connection that lasted so long was a good one: the next loss is a new story. */
const goodMs = 10_000
const wait = (attempts: number) => Math.min(longestWaitMs, 1000 * 2 ** Math.min(attempts, 10))

/**
 * Connects when the instance allows it and a screen is there, tries again with growing pauses after a
 * loss, and stops trying while the instance has no console.
 */
export class ConsoleSession {
  #world: SessionWorld
  #state: ConsoleState = { at: 'idle' }
  #listeners = new Set<() => void>()
  #screen: Screen | undefined
  #isAllowed = false
  #socket: ConsoleSocket | undefined
  #typist: Typist
  #attempts = 0
  /** Calls off the next thing that time would bring: giving up, or trying again. */
  #cancelWait: (() => void) | undefined
  /** Tells a socket's late words from those of the present one. */
  #turn = 0

  constructor(world: SessionWorld) {
    this.#world = world
    this.#typist = new Typist((bytes) => this.#socket?.send(bytes), world.timer)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly state = (): ConsoleState => this.#state

  /** The terminal is there; undefined when it is gone. */
  readonly show = (screen: Screen | undefined): void => {
    this.#screen = screen
    if (screen) this.#begin()
  }

  /** Whether the instance has a console now. */
  allow(isAllowed: boolean): void {
    if (isAllowed === this.#isAllowed) return
    this.#isAllowed = isAllowed
    this.#stopWaiting()
    if (isAllowed) this.reconnect()
    else if (this.#state.at === 'lost') this.#set({ ...this.#state, retryAt: null })
  }

  /** Tries now. */
  readonly reconnect = (): void => {
    this.#attempts = 0
    if (this.#state.at === 'lost') this.#connect()
    else this.#begin()
  }

  /** Sends what was typed, if there is anyone to send it to. */
  readonly type = (bytes: Uint8Array): void => {
    if (this.#state.at === 'open') this.#typist.type(bytes)
  }

  /** Leaves for good; a session that is shown again begins anew. */
  close(): void {
    this.#turn += 1
    this.#stopWaiting()
    this.#typist.clear()
    this.#socket?.close()
    this.#socket = undefined
    this.#state = { at: 'idle' }
  }

  #begin(): void {
    if (this.#state.at === 'idle') this.#connect()
  }

  #connect(): void {
    this.#stopWaiting()
    if (!this.#isAllowed || !this.#screen) return
    this.#turn += 1
    const turn = this.#turn
    const inTurn =
      <A extends unknown[]>(act: (...args: A) => void) =>
      (...args: A) => {
        if (turn === this.#turn) act(...args)
      }
    let openedAt: number | undefined
    this.#set({ at: 'connecting' })
    this.#cancelWait = this.#world.timer.after(patienceMs, () => {
      this.#turn += 1
      this.#socket?.close()
      this.#lost(undefined, 'the server did not answer in time', true)
    })
    this.#socket = this.#world.open({
      open: inTurn(() => {
        this.#stopWaiting()
        openedAt = this.#world.timer.now()
        this.#screen?.reset()
        this.#set({ at: 'open' })
      }),
      data: inTurn((bytes) => this.#screen?.write(bytes)),
      closed: inTurn(({ reason, error }) => this.#lost(openedAt, reason, error)),
    })
  }

  #lost(openedAt: number | undefined, reason: string, error: boolean): void {
    const now = this.#world.timer.now()
    this.#stopWaiting()
    this.#socket = undefined
    this.#typist.clear()
    if (openedAt !== undefined && now - openedAt >= goodMs) this.#attempts = 0
    const pause = wait(this.#attempts)
    this.#attempts += 1
    if (this.#isAllowed) this.#cancelWait = this.#world.timer.after(pause, () => this.#connect())
    const retryAt = this.#isAllowed ? now + pause : null
    this.#set({ at: 'lost', reason, failed: error || openedAt === undefined, retryAt })
    if (reason === '' && openedAt === undefined) void this.#explain(this.#turn)
  }

  async #explain(turn: number): Promise<void> {
    const reason = await this.#world.explain()
    if (turn === this.#turn && this.#state.at === 'lost') this.#set({ ...this.#state, reason })
  }

  #stopWaiting(): void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
  }

  #set(state: ConsoleState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
