/** One boot of a machine: a process of QEMU, from `starting` until its folder is removed. */
import { createMutex, type VmLayers, type VmState, type VmStatus } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { openQmp, QmpClosed, type Qmp } from '../qmp/qmp.ts'
import { filesIn, layerFoldersOf, removeFolders, type MachineContext } from './context.ts'
import { createLogTrimmer } from './console-log.ts'
import { removeLinks } from './disk-links.ts'
import { Display } from './display.ts'
import { reasonOf } from './failure.ts'
import { connectNics, findLaunched, launch, releaseNics } from './launch.ts'
import { MachineLayers } from './machine-layers.ts'
import { Meter } from './meter.ts'
import { errorsIn, isAlive, killProcess, trimErrors, untilEnded, type QemuProcess } from './process.ts'
import { KeptRecord, type Ending, type MachineRecord } from './record.ts'
import { Serial } from './serial.ts'

/** QEMU writes what it has to disks and ends; one that hangs is killed. */
const quitMs = 10_000
const halted = new Set(['internal-error', 'io-error', 'paused'])

export class Machine {
  readonly id: string
  readonly boot: number
  readonly serial: Serial
  readonly display: Display
  readonly log: string
  /** Resolves when no process and no file of this boot is in use any more. */
  readonly ended: Promise<void>
  meter: Meter | undefined
  #context: MachineContext
  #folder: string
  #record: KeptRecord
  #layers: MachineLayers
  #status: VmStatus
  #process: QemuProcess | undefined
  #qmp: Qmp | undefined
  #isRemoved = false
  #isReplaced = false
  #isAdopting = false
  #released = new AbortController()
  /** The connection to QEMU has ended. */
  #isGone = false
  #end: Promise<void> | undefined
  /** How the machine ends, once that is known. */
  #ending: Ending | undefined
  #markEnded = () => {}
  #changes = createMutex()
  #trimLog: () => Promise<void>

  constructor(id: string, record: MachineRecord, context: MachineContext) {
    this.id = id
    this.boot = record.spec.boot
    this.#context = context
    this.#folder = context.folderOf(id)
    this.#record = new KeptRecord(this.#folder, record)
    const { log } = filesIn(this.#folder)
    this.#layers = new MachineLayers(layerFoldersOf(id, context), this.#record)
    this.log = log
    this.#trimLog = createLogTrimmer(log)
    this.serial = new Serial({ log, socket: () => filesIn(this.#folder).serial })
    this.display = new Display(() => filesIn(this.#folder).screen, context.clock)
    this.ended = new Promise((done) => (this.#markEnded = done))
    const { sledId, boot, reset } = record.spec
    this.#status = { id, sledId, boot, reset, storage: this.#layers.storage, seq: 0, state: 'starting' }
  }

  /** The last report. */
  get status(): VmStatus {
    return { ...this.#status }
  }

  /** True until the machine has stopped or failed. Its console exists as long. */
  get alive(): boolean {
    return this.#status.state !== 'stopped' && this.#status.state !== 'failed'
  }

  /** True until it is known whether a machine of another process of the server still runs. */
  get isAdopting(): boolean {
    return this.#isAdopting
  }

  /** Starts QEMU, once the boot before has ended. */
  start(before: Promise<void> | undefined): void {
    this.#report({ state: 'starting' })
    const begin = async () => {
      await before
      if (this.#isLeaving()) return this.#finish()
      await this.#attempt(async () => {
        this.#process = await launch(this.id, this.#record, this.#context)
        await this.#record.save({ process: this.#process })
        await this.#connect()
        await connectNics(this.#record, this.#context)
        this.#report({ state: 'running' })
      })
    }
    this.#detach(this.#changes(begin))
  }

  /** Takes over a machine that another process of the server has started. */
  async adopt(): Promise<void> {
    this.#isAdopting = true
    await this.#changes(() => this.#takeOver()).finally(() => (this.#isAdopting = false))
  }

  async #takeOver(): Promise<void> {
    const { ended } = this.#record.value
    if (ended) {
      this.#ending = ended
      if (this.#isRemoved) return this.#leave()
      this.#report(ended)
      return this.#markEnded()
    }
    this.#process = await findLaunched(this.id, this.#record, this.#context)
    if (!this.#process) return this.#finish('QEMU ended while no server was running')
    await this.#attempt(async () => {
      await this.#connect()
      // The process before may have ended in between.
      await connectNics(this.#record, this.#context).catch((error: unknown) => this.#warn(error))
      await this.#layers.read(this.#requireQmp())
      await this.#layers.settleFrozen().catch((error: unknown) => this.#warn(error))
      this.#report({ state: 'running', storage: this.#layers.storage })
      await this.#readState()
    })
  }

  /** Gives back room that the output of the guest and of QEMU takes. */
  trim(): void {
    this.#detach(this.#trimLog())
    this.#detach(trimErrors(this.#folder))
  }

  /** Resolves when no process of this boot uses its files, and a removal that has begun is complete. */
  async free(): Promise<void> {
    await this.ended
    await this.ready()
  }

  /** Returns when the changes that have begun are complete. */
  ready(): Promise<void> {
    return this.#changes(() => Promise.resolve())
  }

  /** Resets the machine, unless this reset or a later one was done already. */
  requestReset(reset: number): void {
    if (reset <= this.#status.reset || this.#isLeaving()) return
    switch (this.#status.state) {
      case 'starting':
        // The machine is booting already, which counts as the reset.
        this.#report({ ...this.#status, reset })
        this.#detach(this.#changes(() => this.#keepReset(reset)))
        return
      case 'running':
        this.#report({ state: 'rebooting', reset })
        this.#detach(this.#changes(() => this.#reset(reset)))
        return
      case 'rebooting':
        this.#report({ ...this.#status, reset })
        this.#detach(this.#changes(() => this.#keepReset(reset)))
        return
      case 'stopping':
      case 'stopped':
      case 'failed':
    }
  }

  async #reset(reset: number): Promise<void> {
    if (!this.alive || this.#isLeaving()) return
    await this.#attempt(async () => {
      await this.#keepReset(reset)
      await this.#run('system_reset')
      if (this.meter) this.meter.resets++
      if (this.#status.state === 'rebooting') this.#report({ state: 'running' })
    })
  }

  /** The next process of the server must not reset the machine again. */
  async #keepReset(reset: number): Promise<void> {
    const { spec } = this.#record.value
    if (this.alive && !this.#isLeaving()) await this.#record.save({ spec: { ...spec, reset } })
  }

  /** This host has no other to move machines to. */
  refuseMigration(id: string): void {
    if (this.#status.state !== 'running' || this.#status.failedMigration?.id === id) return
    const failedMigration = { id, reason: 'machines of this host cannot be moved' }
    this.#report({ ...this.#status, failedMigration })
  }

  /** Powers the machine off without a shutdown, reports `stopped` and removes its folder. */
  remove(): void {
    if (this.#isRemoved) return
    this.#isRemoved = true
    if (!this.alive) return this.#detach(this.#changes(() => this.#leave()))
    if (this.#status.state === 'starting') return this.#detach(this.#kill())
    if (this.#status.state !== 'stopping') this.#report({ state: 'stopping' })
    this.#quit()
  }

  /** Presses the power button, or powers off a machine whose guest has not begun. */
  pressPowerButton(): void {
    if (this.#isLeaving()) return
    if (this.#status.state === 'starting') {
      this.#ending = { state: 'stopped' }
      this.#detach(this.#kill())
    } else this.#detach(this.#run('system_powerdown'))
  }

  /** Switches to new top layers. Does nothing for the same or older ones, and once the machine has ended. */
  setLayers(to: VmLayers): Promise<void> {
    return this.#changes(async () => {
      if (!this.alive || this.#isLeaving() || to.storage <= this.#status.storage) return
      try {
        await this.#layers.switchTo(to, this.#requireQmp())
        this.#report({ ...this.#status, storage: this.#layers.storage })
      } catch (error) {
        if (!(error instanceof QmpClosed)) throw error
      }
    })
  }

  /** Ends the machine without a report: another boot replaces it. */
  replace(): void {
    this.#isReplaced = true
    this.#detach(this.#closeConsoles('VM stopped'))
    if (this.alive) this.#detach(this.#kill())
  }

  /** Lets go of the machine, which goes on. */
  async release(): Promise<void> {
    this.#released.abort()
    await this.#closeConsoles('the server ends')
  }

  #isLeaving(): boolean {
    return this.#isRemoved || this.#isReplaced || this.#ending !== undefined
  }

  async #connect(): Promise<void> {
    const process = this.#process
    const qmp = await openQmp({
      path: filesIn(this.#folder).qmp,
      clock: this.#context.clock,
      isAlive: () => process !== undefined && isAlive(process),
      signal: this.#released.signal,
      on: {
        event: (name, data) => this.#onEvent(name, data),
        end: () => this.#detach(this.#onGone()),
      },
    })
    this.#qmp = qmp
    const { UUID } = await qmp.run<{ UUID: string }>('query-uuid')
    if (UUID !== this.id) throw new Error('another machine has the socket of this one')
    if (!process) return
    const measured = {
      id: this.id,
      boot: this.boot,
      disks: this.#record.value.spec.disks,
      nics: this.#record.value.spec.nics,
      pid: process.pid,
      qmp,
    }
    this.meter = await Meter.open(measured, this.#context.clock.now())
    this.#context.onMeter(this.meter)
    if (this.#isGone) throw new QmpClosed('QEMU has ended')
    if (this.#isLeaving()) throw new QmpClosed('the machine is not needed')
  }

  #requireQmp(): Qmp {
    if (!this.#qmp) throw new QmpClosed('QEMU has not started')
    return this.#qmp
  }

  async #run<T>(command: string): Promise<T> {
    return this.#requireQmp().run<T>(command)
  }

  #onEvent(name: string, data: Readonly<Record<string, unknown>>): void {
    if (name === 'SHUTDOWN' && data['guest'] === true) this.#shutDownByGuest()
    if (name === 'GUEST_PANICKED') this.#panic()
    if (name === 'STOP') this.#detach(this.#readState())
  }

  /** Ends a machine whose guest does not run any more. */
  async #readState(): Promise<void> {
    const { status } = await this.#run<{ status: string }>('query-status')
    if (status === 'shutdown') this.#shutDownByGuest()
    if (status === 'guest-panicked') this.#panic()
    // Nothing would ever continue it.
    if (halted.has(status)) this.#fail(`QEMU has halted the guest: ${status}`)
  }

  #shutDownByGuest(): void {
    this.#ending ??= { state: 'stopped', guestShutdown: true }
    if (this.alive && this.#status.state !== 'stopping') this.#report({ state: 'stopping' })
    this.#quit()
  }

  #panic(): void {
    this.#fail('the guest has panicked')
  }

  #fail(reason: string): void {
    this.#ending ??= { state: 'failed', reason }
    this.#quit()
  }

  #quit(): void {
    this.#detach(this.#run('quit'))
    const cancel = this.#context.clock.after(quitMs, () => this.#detach(this.#kill()))
    void this.ended.then(cancel)
  }

  async #kill(): Promise<void> {
    if (this.#process) await killProcess(this.#process)
  }

  /** The connection has ended, and QEMU with it. */
  async #onGone(): Promise<void> {
    this.#isGone = true
    // Changes under way fail by themselves.
    if (!this.#released.signal.aborted) await this.#changes(() => this.#finish())
  }

  /** Does a part of the work of QEMU; the machine fails if that does. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (this.#released.signal.aborted) return
      await this.#kill()
      await this.#finish(error instanceof QmpClosed ? 'QEMU has ended' : messageOf(error))
    }
  }

  /** QEMU has ended, or never began. `otherwise` is the reason if QEMU gives none. */
  #finish(otherwise = 'QEMU has ended unexpectedly'): Promise<void> {
    this.#end ??= this.#finishOnce(otherwise)
    return this.#end
  }

  async #finishOnce(otherwise: string): Promise<void> {
    const cancel = this.#context.clock.after(quitMs, () => this.#detach(this.#kill()))
    if (this.#process) await untilEnded(this.#process, this.#context.clock)
    cancel()
    await this.#layers.settleAll((error) => this.#warn(error))
    await removeLinks(this.#context.linksOf(this.id)).catch((error: unknown) => this.#warn(error))
    await releaseNics(this.#record, this.#context).catch((error: unknown) => this.#warn(error))
    if (this.#isReplaced) return this.#markEnded()
    const failed: Ending = { state: 'failed', reason: reasonOf(await errorsIn(this.#folder), otherwise) }
    const ended = this.#ending ?? failed
    if (!this.#isRemoved) await this.#record.save({ ended }).catch((error: unknown) => this.#warn(error))
    if (this.#isRemoved) return this.#leave()
    this.#ending = ended
    this.#report(ended)
    await this.#closeConsoles(ended.state === 'stopped' ? 'VM stopped' : 'VM failed')
    this.#markEnded()
  }

  async #closeConsoles(reason: string): Promise<void> {
    this.display.closeAll(reason)
    await this.serial.closeAll(reason)
  }

  /** The work of a machine must never end the server. */
  #detach(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof QmpClosed)) this.#warn(error)
    })
  }

  #warn(error: unknown): void {
    this.#context.log.warn(
      { machine: this.id, reason: messageOf(error) },
      'a part of the work for a machine has failed',
    )
  }

  /** Reports that a removed machine has stopped, and forgets it. */
  async #leave(): Promise<void> {
    const { guestShutdown } = this.#ending ?? {}
    await this.#closeConsoles('VM stopped')
    if (!this.#isReplaced)
      await removeFolders(this.id, this.#context).catch((error: unknown) => this.#warn(error))
    this.#context.onRemoved(this)
    this.#report({ state: 'stopped', ...(guestShutdown === true ? { guestShutdown } : {}) })
    this.#markEnded()
  }

  #report(change: Partial<VmStatus> & { state: VmState }): void {
    const { id, sledId, boot, reset, storage } = this.#status
    this.#status = { id, sledId, boot, reset, storage, ...change, seq: this.#context.nextSeq() }
    if (!this.#isReplaced) this.#context.report(this.status)
  }
}
