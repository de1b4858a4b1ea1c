/**
 * A machine that leaves for another host while it runs. Until it was handed over, it goes on here whatever fails; from then on
 * never again, unless the other host says that it does not run it.
 */
import type { Clock, VmMigration, VmStatus, VmWay } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import type { QemuAccelerator } from '../machine/arguments.ts'
import { lengthOf, readLog, skipDropped } from '../console/console-log.ts'
import type { MachineProcess } from '../machine/machine-process.ts'
import type { KeptRecord } from '../machine/record.ts'
import { QmpClosed, QmpError } from '../qmp/qmp.ts'
import { Refused, type Channel } from './channel.ts'
import { writeHello } from './hello.ts'
import { connectForMachine } from './listener.ts'
import { writeLogFrame } from './log-frames.ts'
import { openSource } from './memory-source.ts'

const lookMs = 100
/** QEMU does not send, or has ended it. */
const over = new Set(['', 'none', 'completed', 'failed', 'cancelled'])
const lost = 'it was lost on its way to another host'
/** The disks are free, and the other host answers, within this time. */
const patienceMs = 60_000
/** More than networks have: nothing else limits it. */
const mostBandwidth = 100 * 2 ** 30

/** The machine that leaves. */
export interface Leaving {
  id: string
  log: string
  folder: string
  record: KeptRecord
  accelerator: QemuAccelerator
  clock: Clock
  process: MachineProcess
  status: () => VmStatus
  /** It is about to end. */
  isLeaving: () => boolean
  /** Returns when the changes that have begun are complete. */
  ready: () => Promise<void>
  /** Reports that it stays here. */
  stay: (failed: { id: string; reason: string }) => void
  fail: (reason: string) => void
  /** The other host has it. */
  drop: () => Promise<void>
  warn: (error: unknown) => void
}

/** The machine has ended in the meantime. */
class Ended extends Error {}

export class Departure {
  #machine: Leaving
  #isUnderWay = false

  constructor(machine: Leaving) {
    this.#machine = machine
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay
  }

  /** Begins to send a machine that runs, unless it is on its way already, or this migration has failed. */
  begin({ id, at }: VmMigration): void {
    const { state, failedMigration } = this.#machine.status()
    if (state !== 'running' || this.#isUnderWay || failedMigration?.id === id) return
    if (!at) return this.#machine.stay({ id, reason: 'the other host does not answer' })
    this.#isUnderWay = true
    this.#leave(id, at)
      .catch((error: unknown) => this.#machine.warn(error))
      .finally(() => (this.#isUnderWay = false))
  }

  /** The process before was sending it. Throws QmpClosed. */
  async takeOver(): Promise<void> {
    const { departing } = this.#machine.record.value
    if (!departing) return
    if (departing.isHandedOver) this.#machine.fail(lost)
    else await this.#comeBack()
  }

  async #leave(id: string, at: VmWay): Promise<void> {
    const { record, stay, drop, fail } = this.#machine
    const reason = await this.#send(id, at).catch((error: unknown) => problemOf(error))
    if (reason === undefined) return drop()
    const outcome = record.value.departing?.isHandedOver === true ? await this.#outcome(id, at) : 'refused'
    if (outcome === 'runs') return drop()
    if (this.#hasEnded()) return
    // The other host may run it: it was handed over, and has not been heard of since.
    if (outcome === 'unknown') return fail(lost)
    try {
      await this.#comeBack()
      if (!this.#hasEnded()) stay({ id, reason })
    } catch (error) {
      if (!(error instanceof QmpClosed)) throw error
    }
  }

  /** Resolves once the other host runs the machine. Throws Refused, and others, for what has failed. */
  async #send(id: string, at: VmWay): Promise<undefined> {
    const { ready, record } = this.#machine
    await ready()
    if (record.value.next) throw new Refused('its disks are about to change')
    await record.save({ departing: { isHandedOver: false } })
    const channel = await connectForMachine(at, id)
    try {
      await channel.send('hello', await this.#hello())
      await channel.expect('ready')
      const loaded = channel.expect('loaded')
      let problem: unknown
      loaded.catch((error: unknown) => (problem = error))
      const offset = await this.#sendLog(channel, 0)
      await this.#sendMemory(channel, () => problem)
      await this.#sendLog(channel, offset)
      await channel.send('all')
      await loaded
      if (this.#hasEnded()) throw new Ended()
      await record.save({ departing: { isHandedOver: true } })
      await channel.send('go')
      await channel.expect('runs')
    } finally {
      channel.destroy()
    }
  }

  #hasEnded(): boolean {
    return this.#machine.status().state !== 'running' || this.#machine.isLeaving()
  }

  async #hello(): Promise<string> {
    const { process, record, accelerator, status } = this.#machine
    const { spec } = record.value
    const type = await process.run<string>('qom-get', { path: '/machine', property: 'type' })
    return writeHello({
      boot: spec.boot,
      reset: status().reset,
      storage: spec.storage,
      accelerator,
      machineType: type.replace(/-machine$/, ''),
      name: spec.name,
      hostname: spec.hostname,
      userData: spec.userData,
      sshPublicKeys: [...spec.sshPublicKeys],
      disks: spec.disks.map(({ id, layers }) => ({ id, layers: [...layers] })),
      ...(record.value.isUefi === true ? { isUefi: true } : {}),
    })
  }

  /** Sends what the log has from an offset on. Returns its end. */
  async #sendLog(channel: Channel, from: number): Promise<number> {
    const { log } = this.#machine
    for (let offset = from; ;) {
      offset = skipDropped(offset, await lengthOf(log))
      const bytes = await readLog(log, offset)
      if (bytes.length === 0) return offset
      await channel.send('log', writeLogFrame(offset, bytes))
      offset += bytes.length
    }
  }

  /** Resolves once QEMU stands still and all of its memory was sent. */
  async #sendMemory(channel: Channel, problem: () => unknown): Promise<void> {
    const { process } = this.#machine
    const source = await openSource(this.#machine)
    try {
      await process.run('migrate-set-capabilities', {
        // It ends also if the guest writes faster than the network carries.
        capabilities: [{ capability: 'auto-converge', state: true }],
      })
      await process.run('migrate-set-parameters', { 'max-bandwidth': mostBandwidth })
      await source.begin()
      const sent = this.#untilSent()
      const memory = await Promise.race([source.stream, sent])
      for await (const piece of memory as AsyncIterable<Buffer> | readonly []) {
        if (problem() !== undefined) throw problem()
        await channel.send('memory', piece)
      }
      await sent
    } catch (error) {
      throw problem() ?? error
    } finally {
      await source.close()
    }
  }

  async #untilSent(): Promise<readonly []> {
    const { process } = this.#machine
    for (;;) {
      const now = await process.run<{ status?: string; 'error-desc'?: string }>('query-migrate')
      if (now.status === 'completed') return []
      if (now.status === 'failed' || now.status === 'cancelled')
        throw new Error(now['error-desc'] ?? 'QEMU could not send its memory')
      await this.#pause()
    }
  }

  /**
   * Lets the guest go on here. The other host frees the disks when it drops the machine. QEMU gives up by itself, as its
   * connection was closed: cancelled in its last moments, it would run the guest with disks that it no longer has.
   * Throws QmpClosed.
   */
  async #comeBack(): Promise<void> {
    const { process, clock, record, fail } = this.#machine
    for (const until = clock.now() + patienceMs; clock.now() < until; await this.#pause()) {
      const { status: sending = '' } = await process.run<{ status?: string }>('query-migrate')
      if (!over.has(sending)) continue
      // It takes the disks back, also of a guest that runs already.
      await process.run('cont').catch(unlessRefused)
      const { status } = await process.run<{ status: string }>('query-status')
      const stands = ['postmigrate', 'paused', 'finish-migrate'].includes(status)
      if (!stands) return record.save({ departing: undefined })
    }
    fail('its disks were not free again after it could not be moved')
  }

  /** Asks the other host, which may have heard that the machine was handed over. */
  async #outcome(id: string, at: VmWay): Promise<'runs' | 'refused' | 'unknown'> {
    const { clock } = this.#machine
    for (const until = clock.now() + patienceMs; clock.now() < until; await this.#pause())
      try {
        await this.#ask(id, at)
        return 'runs'
      } catch (error) {
        if (error instanceof Refused) return 'refused'
      }
    return 'unknown'
  }

  async #ask(id: string, at: VmWay): Promise<void> {
    const channel = await connectForMachine(at, id)
    try {
      await channel.send('ask')
      await channel.expect('runs')
    } finally {
      channel.destroy()
    }
  }

  #pause(): Promise<void> {
    return new Promise((done) => void this.#machine.clock.after(lookMs, done))
  }
}

const problemOf = (error: unknown): string => {
  const reason = messageOf(error)
  return reason === '' ? 'it has ended' : reason
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof QmpError)) throw error
}
