import type { VmSpec, VmState, VmStatus } from '@purlin/core/ports'
import { SerialConsole } from './console.ts'
import { Guest, type GuestContext } from './guest.ts'
import type { Meter } from './meter.ts'
import { pick, type Span } from './timings.ts'

/** The environment of a machine. */
export interface MachineContext extends GuestContext {
  random(): number
  /** Increases with every call. */
  nextSeq(): number
  /** Called with each change of the machine. */
  report(status: VmStatus): void
  /** The reason if this start must fail. */
  startFailure(id: string): string | undefined
  /** Starts to measure a machine. */
  meter(id: string, spec: VmSpec): Meter
  /** Called when a removed machine has ended. */
  onRemoved(machine: Machine): void
}

/** The hardware of a machine that had none before. */
const newestType = 'simulated-1'

/** One boot of a machine, from `starting` until its record is dropped. */
export class Machine {
  readonly id: string
  #sledId: string
  readonly boot: number
  readonly spec: VmSpec
  readonly serial = new SerialConsole()
  #context: MachineContext
  #guest: Guest
  #meter: Meter
  #status: VmStatus
  #removed = false
  #cancel = () => {}
  #migration: { id: string; cancel: () => void } | undefined

  /** Starts the machine. */
  constructor(id: string, spec: VmSpec, context: MachineContext) {
    this.id = id
    this.#sledId = spec.sledId
    this.boot = spec.boot
    this.spec = spec
    this.#context = context
    this.#guest = new Guest(spec, this.serial, context)
    this.#meter = context.meter(id, spec)
    const { boot, reset, storage } = spec
    this.#status = { id, sledId: spec.sledId, boot, reset, storage, ...this.#type, seq: 0, state: 'starting' }
    this.#setState('starting')
    this.#guest.powerOn(this.#schedule(context.timings.start, () => this.#started()))
  }

  get #type(): Pick<VmStatus, 'machineType'> {
    const { machineType = newestType } = this.spec
    return { machineType }
  }

  get sledId(): string {
    return this.#sledId
  }

  /** The last report. */
  get status(): VmStatus {
    return { ...this.#status }
  }

  /** True until the machine has stopped or failed. Its console exists as long. */
  get alive(): boolean {
    return this.#status.state !== 'stopped' && this.#status.state !== 'failed'
  }

  /** Resets the machine, unless this reset or a later one was done already. */
  requestReset(reset: number): void {
    if (reset <= this.#status.reset) return
    switch (this.#status.state) {
      case 'running':
        this.#setState('rebooting', { reset })
        this.#meter.reset(this.#context.clock.now())
        this.#guest.powerOn(this.#schedule(this.#context.timings.reboot, () => this.#setState('running')))
        return
      case 'starting':
      case 'rebooting':
        // The machine is booting already, which counts as the reset.
        this.#report({ ...this.#status, reset })
        return
      case 'stopping':
      case 'stopped':
      case 'failed':
    }
  }

  /** Moves the running machine, unless this migration is known already. `failure` says at its end why it fails, if it does. */
  migrate(id: string, to: string, failure: () => string | undefined): void {
    if (this.#status.state !== 'running' || this.#migration?.id === id) return
    if (this.#status.failedMigration?.id === id) return
    this.#migration?.cancel()
    const { clock, timings } = this.#context
    const ms = pick(timings.migrate, () => this.#context.random())
    const cancel = clock.after(ms, () => {
      this.#migration = undefined
      const reason = failure()
      if (reason !== undefined) this.#report({ ...this.#status, failedMigration: { id, reason } })
      else this.#arrive(to)
    })
    this.#migration = { id, cancel }
  }

  #arrive(to: string): void {
    const now = this.#context.clock.now()
    this.#meter.end(now)
    this.#sledId = to
    this.#meter = this.#context.meter(this.id, { ...this.spec, sledId: to })
    const { boot, reset, storage } = this.#status
    this.#report({ id: this.id, sledId: to, boot, reset, storage, ...this.#type, seq: 0, state: 'running' })
    this.serial.closeAll('VM moved to another host')
  }

  /** Powers the machine off without a shutdown, reports `stopped` and drops it. */
  remove(): void {
    const isPoweredOff = this.#removed && this.#status.state === 'stopping'
    this.#removed = true
    if (this.#status.state === 'running' || this.#status.state === 'rebooting') this.#stop()
    else if (!isPoweredOff) this.#end('stopped')
  }

  /** The guest shuts down, if there is one. The record is kept until it is removed or replaced. */
  pressPowerButton(): void {
    if (this.#removed) return
    if (this.#status.state === 'starting') this.#end('stopped')
    else if (this.#status.state === 'rebooting') this.#stop({ guestShutdown: true })
    else this.shutDown()
  }

  /** The guest writes to other layers from now on, unless it writes to these or newer ones already. */
  setStorage(storage: number): void {
    if (this.alive && !this.#migration && storage > this.#status.storage)
      this.#report({ ...this.#status, storage })
  }

  /** The guest powers itself off. The record is kept until it is removed or replaced. */
  shutDown(): void {
    if (this.#status.state === 'running') this.#stop({ guestShutdown: true })
  }

  /** The machine fails, unless it is being removed. The record is kept until it is removed or replaced. */
  crash(reason: string): void {
    if (this.alive && !this.#removed) this.#end('failed', { reason })
  }

  /** Ends the machine without a report. */
  dispose(reason: string): void {
    this.#cancel()
    this.#migration?.cancel()
    this.#guest.powerOff()
    this.#meter.end(this.#context.clock.now())
    this.serial.closeAll(reason)
  }

  /** Input on the serial console. */
  type(bytes: Uint8Array): void {
    if (this.alive) this.#guest.type(bytes)
  }

  #started(): void {
    const reason = this.#context.startFailure(this.id)
    if (reason === undefined) this.#setState('running')
    else this.crash(reason)
  }

  #stop(how: { guestShutdown?: true } = {}): void {
    this.#setState('stopping')
    this.#guest.powerOff()
    this.#schedule(this.#context.timings.stop, () => this.#end('stopped', how))
  }

  #end(state: 'stopped' | 'failed', why: { reason?: string; guestShutdown?: true } = {}): void {
    const { guestShutdown } = this.#status
    this.#setState(state, { ...(guestShutdown ? { guestShutdown } : {}), ...why })
    if (this.#removed) this.#context.onRemoved(this)
    this.dispose(state === 'stopped' ? 'VM stopped' : 'VM failed')
  }

  #setState(state: VmState, change: Partial<VmStatus> = {}): void {
    this.#cancel()
    // Only a running machine is moved.
    if (state !== 'running') this.#migration?.cancel()
    const { id, sledId, boot, reset, storage } = this.#status
    this.#report({ id, sledId, boot, reset, storage, ...this.#type, seq: 0, state, ...change })
  }

  #report(status: VmStatus): void {
    this.#status = { ...status, seq: this.#context.nextSeq() }
    this.#context.report(this.status)
  }

  /** Schedules the next step of this machine within the span; returns after how many ms. */
  #schedule(span: Span, next: () => void): number {
    const ms = pick(span, () => this.#context.random())
    this.#cancel = this.#context.clock.after(ms, next)
    return ms
  }
}
