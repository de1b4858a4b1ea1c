/** The process of QEMU that a machine has, and the connection to it. */
import { messageOf } from '@purlin/databases/error-codes'
import { openQmp, QmpClosed, type Qmp, type QmpEvents } from '../qmp/qmp.ts'
import { closeSockets, filesIn, type MachineContext } from './context.ts'
import { findLaunched, launch } from './launch.ts'
import { isAlive, killProcess, untilEnded, type QemuProcess } from './process.ts'
import type { KeptRecord } from './record.ts'

/** QEMU writes what it has to disks and ends; one that hangs is killed. */
const quitMs = 10_000

export class MachineProcess {
  #id: string
  #record: KeptRecord
  #context: MachineContext
  #process: QemuProcess | undefined
  #qmp: Qmp | undefined
  #saved = Promise.resolve()
  #released = new AbortController()

  constructor(id: string, record: KeptRecord, context: MachineContext) {
    this.#id = id
    this.#record = record
    this.#context = context
  }

  /** 0 before it has begun. */
  get pid(): number {
    return this.#process?.pid ?? 0
  }

  /** The machine goes on without this process of the server. */
  get isReleased(): boolean {
    return this.#released.signal.aborted
  }

  release(): void {
    this.#released.abort()
  }

  async launch(): Promise<void> {
    this.#process = await launch(this.#id, this.#record, this.#context)
    // While QEMU starts. Without it, the process is found by its arguments.
    this.#saved = this.#record.save({ process: this.#process })
    this.#saved.catch(() => undefined)
  }

  /** Finds what another process of the server has started. False if it has ended. */
  async find(): Promise<boolean> {
    this.#process = await findLaunched(this.#id, this.#record, this.#context)
    return this.#process !== undefined
  }

  /** Connects once QEMU listens. Throws if it is that of another machine. */
  async connect(on: QmpEvents): Promise<Qmp> {
    const process = this.#process
    this.#qmp = await openQmp({
      path: filesIn(this.#context.folderOf(this.#id)).qmp,
      clock: this.#context.clock,
      isAlive: () => process !== undefined && isAlive(process),
      signal: this.#released.signal,
      on,
    })
    const { UUID } = await this.#qmp.run<{ UUID: string }>('query-uuid')
    if (UUID !== this.#id) throw new Error('another machine has the socket of this one')
    await closeSockets(this.#id, this.#context)
    await this.#saved
    return this.#qmp
  }

  /** Throws QmpClosed before QEMU is connected. */
  get qmp(): Qmp {
    if (!this.#qmp) throw new QmpClosed('QEMU has not started')
    return this.#qmp
  }

  async run<T>(command: string, args?: object): Promise<T> {
    return this.qmp.run<T>(command, args)
  }

  /** Goes on with what has arrived from another host, unless it runs already. */
  async continue(): Promise<void> {
    const { status } = await this.run<{ status: string }>('query-status')
    if (status === 'paused') await this.run('cont')
    await this.#record.save({ arriving: undefined })
  }

  async kill(): Promise<void> {
    if (this.#process) await killProcess(this.#process)
  }

  /** Asks QEMU to end, and kills it if that takes long. */
  async quit(ended: Promise<void>): Promise<void> {
    const cancel = this.#killLater()
    void ended.then(cancel)
    await this.run('quit')
  }

  /** Returns when the process has ended, and kills one that takes long. */
  async end(): Promise<void> {
    const cancel = this.#killLater()
    if (this.#process) await untilEnded(this.#process, this.#context.clock)
    cancel()
  }

  #killLater(): () => void {
    const { clock, log } = this.#context
    return clock.after(quitMs, () => {
      this.kill().catch((error: unknown) =>
        log.warn({ machine: this.#id, reason: messageOf(error) }, 'a process of QEMU cannot be ended'),
      )
    })
  }
}
