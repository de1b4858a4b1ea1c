/** Hard resets of a machine: each is done once, also over a restart of the server. */
import type { VmState, VmStatus } from '@purlin/core/ports'
import type { MachineProcess } from './machine-process.ts'
import type { KeptRecord } from './record.ts'

interface Resettable {
  record: KeptRecord
  process: MachineProcess
  status: () => VmStatus
  report: (change: Partial<VmStatus> & { state: VmState }) => void
  /** False once it has ended, or is about to. */
  isNeeded: () => boolean
  /** Does it after the changes that have begun. */
  change: (work: () => Promise<void>) => void
  /** Does a part of the work of QEMU. */
  attempt: (work: () => Promise<void>) => Promise<void>
  /** A reset was done. */
  count: () => void
}

export class Resets {
  #machine: Resettable

  constructor(machine: Resettable) {
    this.#machine = machine
  }

  /** Resets the machine, unless this reset or a later one was done already. */
  request(reset: number): void {
    const { status, report, isNeeded, change, attempt } = this.#machine
    const now = status()
    if (reset <= now.reset || !isNeeded()) return
    if (now.state === 'running') {
      report({ state: 'rebooting', reset })
      change(() => attempt(() => this.#reset(reset)))
    } else if (now.state === 'starting' || now.state === 'rebooting') {
      // The machine is booting already, which counts as the reset.
      report({ ...now, reset })
      change(() => this.#keep(reset))
    }
  }

  async #reset(reset: number): Promise<void> {
    const { process, count, status, report } = this.#machine
    await this.#keep(reset)
    await process.run('system_reset')
    count()
    if (status().state === 'rebooting') report({ state: 'running' })
  }

  /** The next process of the server must not reset the machine again. */
  async #keep(reset: number): Promise<void> {
    const { record } = this.#machine
    await record.save({ spec: { ...record.value.spec, reset } })
  }
}
