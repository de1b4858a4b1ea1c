/** Machines that other hosts send to this one. Each is in no list of machines until it runs here. */
import { once } from 'node:events'
import { open, type FileHandle } from 'node:fs/promises'
import type { Socket } from 'node:net'
import {
  createMutex,
  SledUnreachable,
  type Clock,
  type Log,
  type VmMigration,
  type VmWay,
} from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import type { QemuAccelerator } from '../machine/arguments.ts'
import { filesIn } from '../machine/context.ts'
import { reasonOf } from '../machine/failure.ts'
import type { Machine } from '../machine/machine.ts'
import type { MachineProcess } from '../machine/machine-process.ts'
import { errorsIn } from '../machine/process.ts'
import type { MachineRecord } from '../machine/record.ts'
import { requireSafe } from '../machine/safe-ids.ts'
import { connectOwn } from '../qmp/own-socket.ts'
import { QmpClosed } from '../qmp/qmp.ts'
import { Refused, write, type Channel } from './channel.ts'
import { readHello, specOf } from './hello.ts'
import type { MachineListener } from './listener.ts'
import { readLogFrame } from './log-frames.ts'

/** Longer than the server takes to ask for the migration again. */
const awaitedMs = 5 * 60_000
const loadMs = 60_000
const lookMs = 20
const mostAwaited = 1_000
/** The first and the latest MiB of a log, and what is added on the way. */
const mostLog = 16 * 1024 * 1024

/** The host of the arrivals. */
export interface Arriving {
  clock: Clock
  log: Log
  accelerator: QemuAccelerator
  folderOf: (id: string) => string
  make: (id: string, record: MachineRecord) => Machine
  /** Makes room for a machine. Throws if this boot or a newer one is there. */
  requireRoom: (id: string, boot: number) => Promise<void>
  /** The machine is one of this host from now on. */
  admit: (machine: Machine) => void
}

interface Awaited {
  id: string
  migration: VmMigration
  way: VmWay
  /** One connection at a time. */
  turns: ReturnType<typeof createMutex>
  channel?: Channel
  machine?: Machine
  runs: boolean
  cancel: () => void
}

export class Arrivals {
  #host: Arriving
  #listener: MachineListener
  #address: string
  #awaited = new Map<string, Awaited>()

  constructor(host: Arriving, listener: MachineListener, address: string) {
    this.#host = host
    this.#listener = listener
    this.#address = address
  }

  /** Waits for a machine, or for longer. */
  expect(id: string, migration: VmMigration): VmWay {
    requireSafe(id, migration.spec)
    const known = this.#awaited.get(migration.id)
    if (!known && this.#awaited.size >= mostAwaited)
      throw new SledUnreachable('this host waits for very many machines already')
    const one = known ?? this.#await(id, migration)
    one.cancel()
    one.cancel = this.#host.clock.after(awaitedMs, () => {
      this.#listener.close(migration.id)
      this.#awaited.delete(migration.id)
    })
    return one.way
  }

  #await(id: string, migration: VmMigration): Awaited {
    const secret = this.#listener.open(migration.id, (channel) => void this.#take(one, channel))
    const one: Awaited = {
      id,
      migration,
      way: { address: this.#address, port: this.#listener.port, secret },
      turns: createMutex(),
      runs: false,
      cancel: () => undefined,
    }
    this.#awaited.set(migration.id, one)
    return one
  }

  /** Ends an arrival of this boot or an older one, and returns once nothing of it is left. */
  async drop(id: string, boot: number): Promise<void> {
    const some = [...this.#awaited.values()].filter((one) => one.id === id && one.migration.spec.boot <= boot)
    for (const one of some) {
      one.channel?.destroy()
      await one.turns(() => Promise.resolve())
    }
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    this.#listener.stop()
    for (const one of this.#awaited.values()) {
      one.cancel()
      one.channel?.destroy()
      await one.turns(() => Promise.resolve())
    }
  }

  async #take(one: Awaited, channel: Channel): Promise<void> {
    // The other end has left the connection before.
    one.channel?.destroy()
    await one.turns(async () => {
      one.channel = channel
      try {
        const { kind, bytes } = await channel.receive()
        if (kind !== 'ask') await this.#arrive(one, channel, bytes)
        if (!one.runs) throw new Refused('it has not arrived')
        await channel.send('runs')
      } catch (error) {
        await channel.send('refused', await this.#drop(one, error)).catch(() => undefined)
      } finally {
        channel.end()
      }
    })
  }

  async #arrive(one: Awaited, channel: Channel, hello: Buffer): Promise<void> {
    if (one.runs) return
    const machine = await this.#make(one, hello)
    one.machine = machine
    const process = await machine.prepare()
    const files = filesIn(this.#host.folderOf(one.id))
    const memory = connectOwn(files.memory)
    await once(memory, 'connect')
    memory.on('error', () => undefined)
    const log = await open(files.log, 'r+')
    try {
      await channel.send('ready')
      await copyAll(channel, { memory, log })
    } finally {
      memory.end()
      await log.close()
    }
    await this.#untilLoaded(process)
    await channel.send('loaded')
    await channel.expect('go')
    one.runs = true
    await machine.run()
    this.#host.admit(machine)
  }

  async #make({ id, migration }: Awaited, said: Buffer): Promise<Machine> {
    const hello = readHello(said)
    const spec = specOf({ ...migration.spec, sledId: migration.to }, hello)
    requireSafe(id, spec)
    const { accelerator, requireRoom, make } = this.#host
    if (hello.accelerator !== accelerator)
      throw new Refused('one of the hosts emulates machines, and the other one does not')
    await requireRoom(id, spec.boot)
    const firmware = hello.isUefi === true ? { isUefi: true } : {}
    return make(id, { spec, arriving: { isDecided: false }, ...firmware })
  }

  async #untilLoaded(process: MachineProcess): Promise<void> {
    const { clock } = this.#host
    for (const until = clock.now() + loadMs; clock.now() < until;) {
      const { status } = await process.run<{ status?: string }>('query-migrate')
      if (status === 'completed') return
      if (status === 'failed') break
      await new Promise<void>((done) => void clock.after(lookMs, done))
    }
    throw new QmpClosed('QEMU has not taken the machine')
  }

  /** Forgets a machine that does not run. Returns why. */
  async #drop(one: Awaited, error: unknown): Promise<string> {
    const { machine, id } = one
    if (!machine || one.runs) return messageOf(error)
    const said = await errorsIn(this.#host.folderOf(id))
    const reason = error instanceof QmpClosed ? reasonOf(said, messageOf(error)) : messageOf(error)
    this.#host.log.warn({ machine: id, reason }, 'a machine of another host has not arrived')
    delete one.machine
    await machine.drop()
    return reason
  }
}

/** Gives QEMU the memory, and the log its parts, until all was sent. */
async function copyAll(channel: Channel, to: { memory: Socket; log: FileHandle }): Promise<void> {
  let room = mostLog
  for (;;) {
    const frame = await channel.receive()
    if (frame.kind === 'all') return
    if (frame.kind === 'memory') await write(to.memory, frame.bytes)
    if (frame.kind !== 'log') continue
    const { offset, bytes } = readLogFrame(frame.bytes)
    room -= bytes.length
    if (room < 0) throw new Refused('the log of its console is too long')
    await to.log.write(bytes, 0, bytes.length, offset)
  }
}
