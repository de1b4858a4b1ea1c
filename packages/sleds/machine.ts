import type { Clock, VmAddress, VmSpec, VmState, VmStatus } from '@purlin/core/ports'
import { SerialConsole } from './console.ts'
import { Guest } from './guest.ts'
import type { Meter } from './meter.ts'
import { pick, type Span, type Timings } from './timings.ts'

/** What a machine needs of the rack around it. */
export interface MachineWorld {
  clock: Clock
  timings: Timings
  random(): number
  /** Grows with every call. */
  nextSeq(): number
  /** The machine changed. */
  report(status: VmStatus): void
  /** The reason why this start has to fail, if it has to. */
  startFailure(id: string): string | undefined
  /** Begins to measure a machine. */
  meter(id: string, spec: VmSpec): Meter
  /** The machine was removed and may be forgotten. */
  gone(machine: Machine): void
}

/** One boot of one machine, from `starting` until it is forgotten. */
export class Machine {
  readonly id: string
  readonly sledId: string
  readonly boot: number
  readonly serial = new SerialConsole()
  externalIps: readonly VmAddress[]
  #world: MachineWorld
  #guest: Guest
  #meter: Meter
  #status: VmStatus
  #removed = false
  #cancel = () => {}

  /** Starts the machine at once. */
  constructor(id: string, spec: VmSpec, world: MachineWorld) {
    this.id = id
    this.sledId = spec.sledId
    this.boot = spec.boot
    this.externalIps = spec.externalIps
    this.#world = world
    this.#guest = new Guest(spec, this.serial, world)
    this.#meter = world.meter(id, spec)
    this.#status = { id, sledId: spec.sledId, boot: spec.boot, reset: spec.reset, seq: 0, state: 'starting' }
    this.#become('starting')
    this.#guest.powerOn(this.#later(world.timings.start, () => this.#started()))
  }

  /** The last report. */
  get status(): VmStatus {
    return { ...this.#status }
  }

  /** True until it stopped or failed. Its console lives as long. */
  get alive(): boolean {
    return this.#status.state !== 'stopped' && this.#status.state !== 'failed'
  }

  /** Resets the machine unless this reset, or a later one, was made before. */
  wantReset(reset: number): void {
    if (reset <= this.#status.reset) return
    switch (this.#status.state) {
      case 'running':
        this.#become('rebooting', { reset })
        this.#meter.reset(this.#world.clock.now())
        this.#guest.powerOn(this.#later(this.#world.timings.reboot, () => this.#become('running')))
        return
      case 'starting':
      case 'rebooting':
        // It is on its way up from power-on already; that boot counts as the reset.
        this.#report({ ...this.#status, reset })
        return
      case 'stopping':
      case 'stopped':
      case 'failed':
    }
  }

  /** Pulls the plug, reports `stopped` and is gone. */
  remove(): void {
    this.#removed = true
    if (this.#status.state === 'running' || this.#status.state === 'rebooting') this.#stop()
    else if (this.#status.state !== 'stopping') this.#end('stopped')
  }

  /** The guest powers itself off. The record stays until it is removed or replaced. */
  shutDown(): void {
    if (this.#status.state === 'running') this.#stop({ guestShutdown: true })
  }

  /** Fails, unless it is being removed. The record stays until it is removed or replaced. */
  crash(reason: string): void {
    if (this.alive && !this.#removed) this.#end('failed', { reason })
  }

  /** Ends without a word to the watchers. */
  vanish(reason: string): void {
    this.#cancel()
    this.#guest.powerOff()
    this.#meter.end(this.#world.clock.now())
    this.serial.hangUp(reason)
  }

  /** Input on the serial console. */
  type(bytes: Uint8Array): void {
    if (this.alive) this.#guest.type(bytes)
  }

  #started(): void {
    const reason = this.#world.startFailure(this.id)
    if (reason === undefined) this.#become('running')
    else this.crash(reason)
  }

  #stop(how: { guestShutdown?: true } = {}): void {
    this.#become('stopping')
    this.#guest.powerOff()
    this.#later(this.#world.timings.stop, () => this.#end('stopped', how))
  }

  #end(state: 'stopped' | 'failed', why: { reason?: string; guestShutdown?: true } = {}): void {
    const { guestShutdown } = this.#status
    this.#become(state, { ...(guestShutdown ? { guestShutdown } : {}), ...why })
    if (this.#removed) this.#world.gone(this)
    this.vanish(state === 'stopped' ? 'VM stopped' : 'VM failed')
  }

  #become(state: VmState, change: Partial<VmStatus> = {}): void {
    this.#cancel()
    const { id, sledId, boot, reset } = this.#status
    this.#report({ id, sledId, boot, reset, seq: 0, state, ...change })
  }

  #report(status: VmStatus): void {
    this.#status = { ...status, seq: this.#world.nextSeq() }
    this.#world.report(this.status)
  }

  /** Does the next thing of this machine's life some time in the span; returns when, in ms. */
  #later(span: Span, next: () => void): number {
    const ms = pick(span, () => this.#world.random())
    this.#cancel = this.#world.clock.after(ms, next)
    return ms
  }
}
