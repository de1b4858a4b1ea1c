/** One boot of a machine: a process of QEMU, from `starting` until its folder is removed. */
import { createMutex, type VmLayers, type VmState, type VmStatus } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { Departure } from '../migration/departure.ts'
import { QmpClosed } from '../qmp/qmp.ts'
import { filesIn, layerFoldersOf, removeFolders, type MachineContext } from './context.ts'
import { Consoles } from '../console/consoles.ts'
import { removeLinks } from './disk-links.ts'
import { reasonOf } from './failure.ts'
import { connectNics, releaseNics } from './launch.ts'
import { MachineLayers } from './machine-layers.ts'
import { MachineProcess } from './machine-process.ts'
import { Meter } from '../measures/meter.ts'
import { errorsIn } from './process.ts'
import { Resets } from './resets.ts'
import { KeptRecord, typeOf, type Ending, type MachineRecord } from './record.ts'
import { createTrimmer, fileTooMuch } from './room.ts'

const panicked = 'the guest has panicked'
const halted = new Set(['internal-error', 'io-error', 'paused'])

export class Machine {
  readonly id: string
  readonly boot: number
  readonly consoles: Consoles
  readonly departure: Departure
  readonly resets: Resets
  readonly log: string
  /** Resolves when no process and no file of this boot is in use any more. */
  readonly ended: Promise<void>
  meter: Meter | undefined
  #context: MachineContext
  #folder: string
  #record: KeptRecord
  #layers: MachineLayers
  #status: VmStatus
  #process: MachineProcess
  #isRemoved = false
  #isReplaced = false
  /** Another host has it, or has it still: this one reports nothing about it. */
  #isElsewhere = false
  #isAdopting = false
  /** The connection to QEMU has ended. */
  #isGone = false
  #end: Promise<void> | undefined
  /** How the machine ends, once that is known. */
  #ending: Ending | undefined
  #markEnded = () => {}
  #changes = createMutex()
  #trimFiles: () => Promise<void>

  constructor(id: string, record: MachineRecord, context: MachineContext) {
    this.id = id
    this.boot = record.spec.boot
    this.#context = context
    this.#folder = context.folderOf(id)
    this.#record = new KeptRecord(this.#folder, record)
    this.#layers = new MachineLayers(layerFoldersOf(id, context), this.#record)
    this.#process = new MachineProcess(id, this.#record, context)
    this.log = filesIn(this.#folder).log
    this.#trimFiles = createTrimmer(this.#folder)
    this.consoles = new Consoles(() => filesIn(this.#folder), context.clock)
    this.departure = new Departure({
      id,
      log: this.log,
      folder: this.#folder,
      record: this.#record,
      accelerator: context.accelerator,
      clock: context.clock,
      process: this.#process,
      status: () => this.status,
      isLeaving: () => this.#isLeaving(),
      ready: () => this.ready(),
      stay: (failedMigration) => this.#report({ ...this.#status, failedMigration }),
      fail: (reason) => this.#fail(reason),
      drop: () => this.drop(),
      warn: (error) => this.#warn(error),
    })
    this.resets = new Resets({
      record: this.#record,
      process: this.#process,
      status: () => this.status,
      report: (change) => this.#report(change),
      isNeeded: this.#isNeeded,
      change: (work) => this.#detach(this.#changes(async () => void (this.#isNeeded() && (await work())))),
      attempt: (work) => this.#attempt(work),
      count: () => void (this.meter && this.meter.resets++),
    })
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

  /**
   * Starts QEMU for a machine that another host sends. It has what that one has once its memory is there, and waits for
   * `run` or `drop`. Throws if QEMU does not start.
   */
  async prepare(): Promise<MachineProcess> {
    this.#isElsewhere = true
    await this.#changes(async () => {
      await this.#process.launch()
      await this.#connect()
    })
    return this.#process
  }

  /** The machine has arrived, and no other host runs it. */
  run(): Promise<void> {
    return this.#changes(() =>
      this.#attempt(async () => {
        await this.#record.save({ arriving: { isDecided: true } })
        this.#isElsewhere = false
        await this.#process.continue()
        await this.#begin()
      }),
    )
  }

  /** Ends QEMU and forgets the machine, without a report: another host has it. */
  async drop(): Promise<void> {
    this.#isElsewhere = true
    this.#isRemoved = true
    await this.#process.kill()
    await this.#changes(async () => {
      await this.#finish()
      await this.#leave()
    })
  }

  /** Starts QEMU, once the boot before has ended. */
  start(before: Promise<void> | undefined): void {
    this.#report({ state: 'starting' })
    const begin = async () => {
      await before
      if (this.#isLeaving()) return this.#finish()
      await this.#attempt(async () => {
        await this.#process.launch()
        await this.#connect()
        await this.#begin()
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
    const { ended, arriving } = this.#record.value
    if (ended) {
      this.#ending = ended
      if (this.#isRemoved) return this.#leave()
      this.#report(ended)
      return this.#markEnded()
    }
    const isThere = await this.#process.find()
    if (arriving && !arriving.isDecided) return this.#detach(this.drop())
    if (!isThere) return this.#finish('QEMU ended while no server was running')
    await this.#attempt(async () => {
      await this.#connect()
      if (arriving) await this.#process.continue()
      await this.departure.takeOver()
      await this.#measure()
      // The process before may have ended in between.
      await connectNics(this.id, this.#record, this.#context).catch((error: unknown) => this.#warn(error))
      await this.#layers.read(this.#process.qmp)
      await this.#layers.complete(this.#process.qmp).catch((error: unknown) => this.#warn(error))
      this.#report({ state: 'running', storage: this.#layers.storage })
      await this.#readState()
    })
  }

  /** Gives back room that output takes, and ends a machine whose QEMU takes more than its disks need. */
  trim(): void {
    this.#detach(this.#trimFiles())
    if (this.#status.state === 'running') this.#detach(this.#checkRoom())
  }

  async #checkRoom(): Promise<void> {
    const places = { folder: this.#folder, links: this.#context.linksOf(this.id) }
    const name = await fileTooMuch(places, () => this.#layers.disks)
    if (name !== undefined) this.#fail(`QEMU has written more than the disks have: ${name}`)
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

  /** Powers the machine off without a shutdown, reports `stopped` and removes its folder. */
  remove(): void {
    if (this.#isRemoved) return
    this.#isRemoved = true
    if (!this.alive) return this.#detach(this.#changes(() => this.#leave()))
    if (this.#status.state === 'starting') return this.#detach(this.#process.kill())
    if (this.#status.state !== 'stopping') this.#report({ state: 'stopping' })
    this.#quit()
  }

  /** Presses the power button, or powers off a machine whose guest has not begun. */
  pressPowerButton(): void {
    if (this.#isLeaving()) return
    if (this.#status.state === 'starting') {
      this.#ending = { state: 'stopped' }
      this.#detach(this.#process.kill())
    } else this.#detach(this.#process.run('system_powerdown'))
  }

  /** Switches to new top layers and sizes. Does nothing for the same or older ones, and once the machine has ended or is on its way. */
  setLayers(to: VmLayers): Promise<void> {
    return this.#changes(async () => {
      if (!this.alive || this.#isLeaving() || this.departure.isUnderWay) return
      if (to.storage <= this.#status.storage) return
      try {
        await this.#layers.switchTo(to, this.#process.qmp)
        this.#report({ ...this.#status, storage: this.#layers.storage })
      } catch (error) {
        if (!(error instanceof QmpClosed)) throw error
      }
    })
  }

  /** Ends the machine without a report: another boot replaces it. */
  replace(): void {
    this.#isReplaced = true
    this.#detach(this.consoles.closeAll('VM stopped'))
    if (this.alive) this.#detach(this.#process.kill())
  }

  /** Lets go of the machine, which goes on. */
  async release(): Promise<void> {
    this.#process.release()
    await this.consoles.closeAll('the server ends')
  }

  #isNeeded = (): boolean => this.alive && !this.#isLeaving()

  #isLeaving(): boolean {
    return this.#isRemoved || this.#isReplaced || this.#ending !== undefined
  }

  async #connect(): Promise<void> {
    await this.#process.connect({
      event: (name, data) => this.#onEvent(name, data),
      end: () => this.#detach(this.#onGone()),
    })
    this.#requireNeed()
  }

  #requireNeed(): void {
    if (this.#isGone) throw new QmpClosed('QEMU has ended')
    if (this.#isLeaving()) throw new QmpClosed('the machine is not needed')
  }

  /** Connects its interfaces, measures it and reports that it runs. */
  async #begin(): Promise<void> {
    await connectNics(this.id, this.#record, this.#context)
    await this.#measure()
    this.#report({ state: 'running' })
  }

  async #measure(): Promise<void> {
    const { disks, nics } = this.#record.value.spec
    const { pid, qmp } = this.#process
    const { accelerator } = this.#context
    const measured = { id: this.id, boot: this.boot, disks, nics, pid, accelerator, qmp }
    this.meter = await Meter.open(measured, this.#context.clock.now())
    this.#context.onMeter(this.meter)
    this.#requireNeed()
  }

  #onEvent(name: string, data: Readonly<Record<string, unknown>>): void {
    if (name === 'SHUTDOWN' && data['guest'] === true) this.#shutDownByGuest()
    if (name === 'GUEST_PANICKED') this.#fail(panicked)
    if (name === 'STOP') this.#detach(this.#readState())
  }

  /** Ends a machine whose guest does not run any more. One on its way to or from another host stands still for a moment. */
  async #readState(): Promise<void> {
    if (this.#isElsewhere || this.departure.isUnderWay) return
    const { status } = await this.#process.run<{ status: string }>('query-status')
    if (status === 'shutdown') this.#shutDownByGuest()
    if (status === 'guest-panicked') this.#fail(panicked)
    // Nothing would ever continue it.
    if (halted.has(status)) this.#fail(`QEMU has halted the guest: ${status}`)
  }

  #shutDownByGuest(): void {
    this.#ending ??= { state: 'stopped', guestShutdown: true }
    if (this.alive && this.#status.state !== 'stopping') this.#report({ state: 'stopping' })
    this.#quit()
  }

  #fail(reason: string): void {
    this.#ending ??= { state: 'failed', reason }
    this.#quit()
  }

  #quit(): void {
    this.#detach(this.#process.quit(this.ended))
  }

  /** The connection has ended, and QEMU with it. */
  async #onGone(): Promise<void> {
    this.#isGone = true
    // Changes under way fail by themselves.
    if (!this.#process.isReleased) await this.#changes(() => this.#finish())
  }

  /** Does a part of the work of QEMU; the machine fails if that does. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (this.#process.isReleased) return
      await this.#process.kill()
      await this.#finish(error instanceof QmpClosed ? 'QEMU has ended' : messageOf(error))
    }
  }

  /** QEMU has ended, or never began. `otherwise` is the reason if QEMU gives none. */
  #finish(otherwise = 'QEMU has ended unexpectedly'): Promise<void> {
    this.#end ??= this.#finishOnce(otherwise)
    return this.#end
  }

  async #finishOnce(otherwise: string): Promise<void> {
    await this.#process.end()
    // The tables of layers that another host uses are its own.
    if (!this.#isElsewhere) await this.#layers.settleAll((error) => this.#warn(error))
    await this.#context.groups?.remove(this.id)
    await removeLinks(this.#context.linksOf(this.id)).catch((error: unknown) => this.#warn(error))
    await releaseNics(this.id, this.#record, this.#context).catch((error: unknown) => this.#warn(error))
    if (this.#isReplaced || this.#isElsewhere) return this.#markEnded()
    const failed: Ending = { state: 'failed', reason: reasonOf(await errorsIn(this.#folder), otherwise) }
    const ended = this.#ending ?? failed
    if (!this.#isRemoved) await this.#record.save({ ended }).catch((error: unknown) => this.#warn(error))
    if (this.#isRemoved) return this.#leave()
    this.#ending = ended
    this.#report(ended)
    await this.consoles.closeAll(ended.state === 'stopped' ? 'VM stopped' : 'VM failed')
    this.#markEnded()
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
    await this.consoles.closeAll(this.#isElsewhere ? 'VM moved to another host' : 'VM stopped')
    if (!this.#isReplaced)
      await removeFolders(this.id, this.#context).catch((error: unknown) => this.#warn(error))
    this.#context.onRemoved(this)
    this.#report({ state: 'stopped', ...(guestShutdown === true ? { guestShutdown } : {}) })
    this.#markEnded()
  }

  #report(change: Partial<VmStatus> & { state: VmState }): void {
    const { id, sledId, boot, reset, storage } = this.#status
    const type = typeOf(this.#record.value)
    this.#status = { id, sledId, boot, reset, storage, ...type, ...change, seq: this.#context.nextSeq() }
    if (!this.#isReplaced && !this.#isElsewhere) this.#context.report(this.status)
  }
}
