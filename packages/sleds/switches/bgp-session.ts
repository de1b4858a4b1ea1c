import type { BgpMessage, PeerConfiguration, PeerStatus } from '@purlin/core/ports'

/** The other end of a session: the state of the path, and the router there. */
export interface FarEnd {
  /** Why no packet gets there; null if packets do. */
  obstacle: string | null
  /** True if the router answers, with the same key. */
  answers: boolean
  asn: number
  /** The networks that are accepted from it. */
  routes: readonly string[]
}

/** How long a message takes, ms. */
const latencyMs = 10
const mostMessages = 64
/** Messages that keep a session alive are recorded for the last intervals only: older ones would be forgotten. */
const recordedIntervals = mostMessages

/** A session and its autonomous system. */
export interface SessionSettings {
  asn: number
  peer: PeerConfiguration
  /** The networks that are announced to the peer. */
  exported: readonly string[]
}

type Open = Pick<
  PeerStatus,
  'state' | 'since' | 'problem' | 'messages' | 'exported' | 'imported' | 'remoteAsn'
>

/**
 * The state machine of a BGP session (RFC 4271, section 8). Time passes when `advance` is called: then everything
 * happens that was due since the last call.
 */
export class BgpSession {
  #settings: SessionSettings
  #farEnd: FarEnd
  #state: PeerStatus['state'] = 'connect'
  #since: number
  /** When the state ends by itself. */
  #due = Infinity
  #problem: string | null = null
  #messages: BgpMessage[] = []
  #heardAt = 0
  #remoteAsn: number | null = null

  constructor(settings: SessionSettings, farEnd: FarEnd, now: number) {
    this.#settings = settings
    this.#farEnd = farEnd
    this.#since = now
    this.#enter('connect', now)
  }

  status(): Open {
    const isEstablished = this.#state === 'established'
    return {
      state: this.#state,
      since: this.#since,
      problem: isEstablished ? null : (this.#problem ?? 'the session is being set up'),
      remoteAsn: this.#remoteAsn ?? this.#settings.peer.remoteAsn,
      exported: isEstablished ? this.#settings.exported : [],
      imported: isEstablished ? this.#farEnd.routes : [],
      messages: [...this.#messages],
    }
  }

  /** Does everything that is due by then. */
  advance(now: number): void {
    while (this.#due <= now) this.#step(this.#due, now)
  }

  /** The path or the router has changed. */
  face(farEnd: FarEnd, now: number): void {
    this.advance(now)
    const before = this.#farEnd
    this.#farEnd = farEnd
    if (this.#state === 'connect' || this.#state === 'active') {
      if (!reaches(before) && reaches(farEnd)) this.#due = Math.min(this.#due, now + latencyMs)
    } else if (this.#state !== 'idle' && farEnd.obstacle !== null) {
      this.#fail(farEnd.obstacle, now)
    } else if (this.#state === 'established') {
      if (farEnd.routes.join() !== before.routes.join())
        this.#record(now, ['received', 'update'], listed(farEnd.routes))
      this.#due = this.#nextWhenEstablished(now)
    }
  }

  /** Takes other settings. A session whose parameters change begins again. */
  change(settings: SessionSettings, now: number): void {
    this.advance(now)
    const before = this.#settings
    this.#settings = settings
    if (parameters(before) !== parameters(settings)) {
      if (this.#state === 'established')
        this.#record(now, ['sent', 'notification'], 'Cease: configuration changed')
      this.#remoteAsn = null
      this.#problem = null
      this.#enter('connect', now)
    } else if (this.#state === 'established' && before.exported.join() !== settings.exported.join()) {
      this.#record(now, ['sent', 'update'], listed(settings.exported))
    }
  }

  /** Detection has lost the peer (RFC 5882, section 4.3). */
  lose(now: number): void {
    this.advance(now)
    if (this.#state !== 'established') return
    this.#record(now, ['sent', 'notification'], 'Cease: BFD down')
    this.#fail('BFD has lost the peer', now)
  }

  #enter(state: PeerStatus['state'], at: number): void {
    this.#state = state
    this.#since = at
    this.#due = at + this.#duration()
  }

  /** How long the state lasts unless something happens, ms. */
  #duration(): number {
    const { peer } = this.#settings
    switch (this.#state) {
      case 'idle':
        return Math.max(1, peer.idleHoldTime) * 1000
      case 'connect':
      case 'active':
        return reaches(this.#farEnd) ? latencyMs + peer.delayOpen * 1000 : peer.connectRetry * 1000
      case 'open_sent':
      case 'open_confirm':
      case 'session_setup':
        return latencyMs
      case 'established':
        return this.#nextWhenEstablished(this.#since) - this.#since
    }
  }

  #step(at: number, now: number): void {
    const { peer, asn } = this.#settings
    switch (this.#state) {
      case 'idle':
        return this.#enter('connect', at)
      case 'connect':
      case 'active':
        if (!reaches(this.#farEnd)) {
          this.#problem = this.#farEnd.obstacle ?? 'the peer does not answer, or has another key'
          return this.#enter(this.#state === 'connect' ? 'active' : 'connect', at)
        }
        this.#record(at, ['sent', 'open'], `AS ${asn}, hold time ${peer.holdTime} s`)
        return this.#enter('open_sent', at)
      case 'open_sent':
        return this.#hear(at)
      case 'open_confirm':
        this.#record(at, ['received', 'keepalive'], '')
        return this.#enter('session_setup', at)
      case 'session_setup':
        this.#record(at, ['sent', 'update'], listed(this.#settings.exported))
        this.#record(at, ['received', 'update'], listed(this.#farEnd.routes))
        this.#heardAt = at
        this.#problem = null
        return this.#enter('established', at)
      case 'established':
        return this.#keepAlive(at, now)
    }
  }

  /** The message in which the peer says who it is. */
  #hear(at: number): void {
    if (!reaches(this.#farEnd)) return this.#fail('the peer does not answer, or has another key', at)
    const { remoteAsn, holdTime } = this.#settings.peer
    const { asn } = this.#farEnd
    this.#remoteAsn = asn
    this.#record(at, ['received', 'open'], `AS ${asn}, hold time ${holdTime} s`)
    if (remoteAsn !== null && remoteAsn !== asn) {
      this.#record(at, ['sent', 'notification'], 'OPEN message error: bad peer AS')
      return this.#fail(`the peer is in AS ${asn}, not in AS ${remoteAsn}`, at)
    }
    this.#record(at, ['sent', 'keepalive'], '')
    this.#enter('open_confirm', at)
  }

  #keepAlive(at: number, now: number): void {
    const { keepalive, holdTime } = this.#settings.peer
    if (!this.#farEnd.answers && at >= this.#heardAt + holdTime * 1000) {
      this.#record(at, ['sent', 'notification'], 'Hold timer expired')
      return this.#fail(`the peer has sent nothing for ${holdTime} s`, at)
    }
    const interval = keepalive * 1000
    const skipped = this.#farEnd.answers
      ? Math.max(0, Math.floor((now - at) / interval) - recordedIntervals)
      : 0
    const then = at + skipped * interval
    this.#record(then, ['sent', 'keepalive'], '')
    if (this.#farEnd.answers) {
      this.#record(then, ['received', 'keepalive'], '')
      this.#heardAt = then
    }
    this.#due = this.#nextWhenEstablished(then)
  }

  /** The next message that keeps the session alive, or the end of the hold time. */
  #nextWhenEstablished(at: number): number {
    const { keepalive, holdTime } = this.#settings.peer
    if (holdTime === 0) return Infinity
    const next = at + keepalive * 1000
    return this.#farEnd.answers ? next : Math.min(next, this.#heardAt + holdTime * 1000)
  }

  #fail(problem: string, at: number): void {
    this.#problem = problem
    this.#enter('idle', at)
  }

  #record(at: number, [direction, type]: [BgpMessage['direction'], BgpMessage['type']], text: string): void {
    this.#messages.push({ at, direction, type, text })
    if (this.#messages.length > mostMessages) this.#messages.shift()
  }
}

const reaches = ({ obstacle, answers }: FarEnd): boolean => obstacle === null && answers
const listed = (networks: readonly string[]): string => networks.join(', ') || 'no networks'
/** The settings that both ends agree on when a session begins. */
const parameters = ({ asn, peer }: SessionSettings): string => {
  const { allowedImport: _in, allowedExport: _out, ...rest } = peer
  return JSON.stringify([asn, rest])
}
