/** One boot of a machine: a process of QEMU, from `starting` until its folder is removed. */
import { mkdir, rm } from 'node:fs/promises'
import { createMutex, type VmLayers, type VmState, type VmStatus } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { openLayers, settleLayer, type LayerFolders } from '../layers/layers.ts'
import { openQmp, QmpClosed, type Qmp } from '../qmp/qmp.ts'
import { argumentsOf, qmpOption } from './arguments.ts'
import { filesIn, type MachineContext } from './context.ts'
import { reasonOf } from './failure.ts'
import { frozenLayers, hasSwitched, switchLayers, withLayers } from './live-layers.ts'
import { Meter } from './meter.ts'
import { errorsIn, findProcess, killProcess, startProcess, untilEnded, type QemuProcess } from './process.ts'
import { writeRecord, type Ending, type MachineRecord } from './record.ts'
import { writeSeed } from './seed.ts'
import { Serial } from './serial.ts'

/** QEMU writes what it has to disks and ends; one that hangs is killed. */
const quitMs = 10_000

export class Machine {
  readonly id: string
  readonly boot: number
  readonly serial: Serial
  readonly log: string
  /** Resolves when no process and no file of this boot is in use any more. */
  readonly ended: Promise<void>
  meter: Meter | undefined
  #context: MachineContext
  #folder: string
  #record: MachineRecord
  #status: VmStatus
  #process: QemuProcess | undefined
  #qmp: Qmp | undefined
  #isRemoved = false
  #isReplaced = false
  #isReleased = false
  /** The connection to QEMU has ended. */
  #isGone = false
  #end: Promise<void> | undefined
  /** How the machine ends, once that is known. */
  #ending: Ending | undefined
  #markEnded = () => {}
  #changes = createMutex()

  constructor(id: string, record: MachineRecord, context: MachineContext) {
    this.id = id
    this.boot = record.spec.boot
    this.#context = context
    this.#folder = context.folderOf(id)
    this.#record = record
    const { qmp: _, log, serial } = filesIn(this.#folder)
    this.log = log
    this.serial = new Serial({ log, socket: serial })
    this.ended = new Promise((done) => (this.#markEnded = done))
    const { sledId, boot, reset, storage } = record.spec
    this.#status = { id, sledId, boot, reset, storage, seq: 0, state: 'starting' }
  }

  /** The last report. */
  get status(): VmStatus {
    return { ...this.#status }
  }

  /** True until the machine has stopped or failed. Its console exists as long. */
  get alive(): boolean {
    return this.#status.state !== 'stopped' && this.#status.state !== 'failed'
  }

  /** Starts QEMU, once the boot before has ended. */
  start(before: Promise<void> | undefined): void {
    this.#report({ state: 'starting' })
    const begin = async () => {
      await before
      if (this.#isLeaving()) return this.#finish()
      await this.#attempt(async () => {
        await this.#launch()
        await this.#connect()
        if (this.#isLeaving()) throw new QmpClosed('the machine is not needed')
        this.#report({ state: 'running' })
      })
    }
    this.#detach(this.#changes(begin))
  }

  /** Takes over a machine that another process of the server has started. */
  adopt(): Promise<void> {
    return this.#changes(async () => {
      const { ended } = this.#record
      if (ended) {
        this.#ending = ended
        this.#report(ended)
        return this.#markEnded()
      }
      this.#process = await findProcess(qmpOption(filesIn(this.#folder).qmp))
      if (!this.#process) return this.#finish('QEMU ended while no server was running')
      await this.#attempt(async () => {
        await this.#connect()
        await this.#readLayers()
        const { status } = await this.#run<{ status: string }>('query-status')
        this.#report({ state: 'running' })
        if (status === 'shutdown') this.#shutDownByGuest()
        if (status === 'guest-panicked') this.#panic()
      })
    })
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
        return
      case 'running':
        this.#report({ state: 'rebooting', reset })
        this.#detach(this.#changes(() => this.#reset(reset)))
        return
      case 'rebooting':
        this.#report({ ...this.#status, reset })
        return
      case 'stopping':
      case 'stopped':
      case 'failed':
    }
  }

  async #reset(reset: number): Promise<void> {
    if (!this.alive || this.#isLeaving()) return
    await this.#attempt(async () => {
      await this.#save({ spec: { ...this.#record.spec, reset } })
      await this.#run('system_reset')
      if (this.meter) this.meter.resets++
      if (this.#status.state === 'rebooting') this.#report({ state: 'running' })
    })
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
    if (!this.alive) return this.#detach(this.#leave())
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
        await this.#switchLayers(to)
      } catch (error) {
        if (!(error instanceof QmpClosed)) throw error
      }
    })
  }

  /** Ends the machine without a report: another boot replaces it. */
  replace(): void {
    this.#isReplaced = true
    this.#detach(this.serial.closeAll('VM stopped'))
    if (this.alive) this.#detach(this.#kill())
  }

  /** Lets go of the machine, which goes on. */
  async release(): Promise<void> {
    this.#isReleased = true
    this.#qmp?.close()
    await this.serial.closeAll('the server ends')
  }

  #isLeaving(): boolean {
    return this.#isRemoved || this.#isReplaced || this.#ending !== undefined
  }

  get #folders(): LayerFolders {
    return { blobs: this.#context.blobs, tables: filesIn(this.#folder).tables }
  }

  async #launch(): Promise<void> {
    const { accelerator, network, kernel, program } = this.#context
    const { spec } = this.#record
    const { seed, log, ...sockets } = filesIn(this.#folder)
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await writeRecord(this.#folder, this.#record)
    const disks = []
    for (const disk of spec.disks) disks.push(await openLayers(this.#folders, disk))
    await writeSeed(seed, this.id, spec)
    const settings = {
      id: this.id,
      spec,
      accelerator,
      network,
      disks,
      seed,
      sockets,
      consoleLog: log,
      kernel,
    }
    this.#process = await startProcess({ program, args: argumentsOf(settings), folder: this.#folder })
  }

  async #connect(): Promise<void> {
    const process = this.#process
    let hasEnded = process === undefined
    if (process) void untilEnded(process, this.#context.clock).then(() => (hasEnded = true))
    const qmp = await openQmp({
      path: filesIn(this.#folder).qmp,
      clock: this.#context.clock,
      isAlive: () => !hasEnded,
      on: {
        event: (name, data) => this.#onEvent(name, data),
        end: () => this.#detach(this.#onGone()),
      },
    })
    this.#qmp = qmp
    const { UUID } = await qmp.run<{ UUID: string }>('query-uuid')
    if (UUID !== this.id) throw new Error('another machine has the socket of this one')
    if (!process) return
    const measured = { id: this.id, boot: this.boot, disks: this.#record.spec.disks, pid: process.pid, qmp }
    this.meter = await Meter.open(measured, this.#context.clock.now())
    this.#context.onMeter(this.meter)
    if (this.#isGone) throw new QmpClosed('QEMU has ended')
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
  }

  #shutDownByGuest(): void {
    this.#ending ??= { state: 'stopped', guestShutdown: true }
    if (this.alive && this.#status.state !== 'stopping') this.#report({ state: 'stopping' })
    this.#quit()
  }

  #panic(): void {
    this.#ending ??= { state: 'failed', reason: 'the guest has panicked' }
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
    if (!this.#isReleased) await this.#changes(() => this.#finish())
  }

  /** Does a part of the work of QEMU; the machine fails if that does. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (this.#isReleased) return
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
    await this.#settle()
    if (this.#isReplaced) return this.#markEnded()
    const failed: Ending = { state: 'failed', reason: reasonOf(await errorsIn(this.#folder), otherwise) }
    const ended = this.#ending ?? failed
    if (!this.#isRemoved) await this.#save({ ended }).catch((error: unknown) => this.#warn(error))
    if (this.#isRemoved) return this.#leave()
    this.#ending = ended
    this.#report(ended)
    await this.serial.closeAll(ended.state === 'stopped' ? 'VM stopped' : 'VM failed')
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
    await this.serial.closeAll('VM stopped')
    if (!this.#isReplaced)
      await rm(this.#folder, { recursive: true, force: true }).catch((error: unknown) => this.#warn(error))
    this.#context.onRemoved(this)
    this.#report({ state: 'stopped', ...(guestShutdown === true ? { guestShutdown } : {}) })
    this.#markEnded()
  }

  async #settle(): Promise<void> {
    const disks = [...this.#record.spec.disks, ...(this.#record.next?.disks ?? [])]
    const layers = new Set(disks.flatMap((disk) => disk.layers.map(({ id }) => id)))
    // A layer that keeps its tables is settled before its next use.
    for (const layer of layers)
      await settleLayer(this.#context.blobs, layer).catch((error: unknown) => this.#warn(error))
  }

  async #switchLayers(to: VmLayers): Promise<void> {
    const { disks } = this.#record.spec
    const next = { storage: to.storage, disks: withLayers(disks, to) }
    await this.#save({ next })
    const folders = this.#folders
    await switchLayers({ folders, qmp: this.#requireQmp(), from: disks, to: next.disks })
    await this.#confirmLayers()
  }

  /** The machine writes to the next layers. Those that it wrote to before are settled. */
  async #confirmLayers(): Promise<void> {
    const { spec, next } = this.#record
    if (!next) return
    for (const layer of frozenLayers(spec.disks, next.disks)) await settleLayer(this.#context.blobs, layer)
    this.#record = { spec: { ...spec, ...next } }
    await writeRecord(this.#folder, this.#record)
    this.#report({ ...this.#status, storage: next.storage })
  }

  /** Finds out whether a switch of layers was done when its server ended. */
  async #readLayers(): Promise<void> {
    const { spec, next } = this.#record
    if (next && (await hasSwitched(this.#requireQmp(), spec.disks, next.disks))) await this.#confirmLayers()
  }

  async #save(change: Partial<MachineRecord>): Promise<void> {
    this.#record = { ...this.#record, ...change }
    await writeRecord(this.#folder, this.#record)
  }

  #report(change: Partial<VmStatus> & { state: VmState }): void {
    const { id, sledId, boot, reset, storage } = this.#status
    this.#status = { id, sledId, boot, reset, storage, ...change, seq: this.#context.nextSeq() }
    if (!this.#isReplaced) this.#context.report(this.status)
  }
}
