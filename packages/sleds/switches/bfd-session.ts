import type { BfdConfiguration, BfdStatus } from '@purlin/core/ports'

/** The state machine of a BFD session (RFC 5880, section 6.8.6). Time passes when `step` is called. */
export class BfdSession {
  readonly configuration: BfdConfiguration
  state: BfdStatus['state'] = 'down'
  /** When the state changes by itself, ms since 1970. */
  due: number
  #hears: boolean

  constructor(configuration: BfdConfiguration, hears: boolean, now: number) {
    this.configuration = configuration
    this.#hears = hears
    this.due = hears ? now + this.#interval : Infinity
  }

  get #interval(): number {
    return this.configuration.requiredRx / 1000
  }

  /** Packets of the peer arrive from now on, or no longer. */
  listen(hears: boolean, now: number): void {
    if (hears === this.#hears) return
    this.#hears = hears
    const { detectionThreshold } = this.configuration
    if (hears) this.due = this.state === 'up' ? Infinity : now + this.#interval
    else this.due = this.state === 'down' ? Infinity : now + detectionThreshold * this.#interval
  }

  /** Does what is due. True if the session has ended. */
  step(): boolean {
    if (!this.#hears) {
      const wasUp = this.state === 'up'
      this.state = 'down'
      this.due = Infinity
      return wasUp
    }
    const isUp = this.state === 'init'
    this.state = isUp ? 'up' : 'init'
    this.due = isUp ? Infinity : this.due + this.#interval
    return false
  }
}
