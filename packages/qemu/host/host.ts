/** Runs machines with QEMU on this host. */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  SledUnreachable,
  SwitchUnreachable,
  type Clock,
  type ConsoleListener,
  type ConsoleStart,
  type DiagnosticFile,
  type Log,
  type SledDriver,
  type SledNetwork,
  type VmLayers,
  type VmMigration,
  type VmSpec,
  type VmStatus,
} from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import type { HostNetworks } from '@purlin/netns/privileged/networks'
import type { DirectKernel, QemuAccelerator } from '../machine/arguments.ts'
import { readRange } from '../console/console-log.ts'
import { filesIn, type MachineContext } from '../machine/context.ts'
import { hostLinks, removeOtherLinks } from '../machine/disk-links.ts'
import { Machine } from '../machine/machine.ts'
import { readRecord, type MachineRecord } from '../machine/record.ts'
import { isId, requireLayers, requireSafe } from '../machine/safe-ids.ts'
import { Arrivals } from '../migration/arrivals.ts'
import { Refused } from '../migration/channel.ts'
import { listenForMachines, type MachineListener } from '../migration/listener.ts'
import { NetworksOfHost } from './host-networks.ts'
import { baseboard, identityIn, inventoryOf, saveIdentity, type HostIdentity } from './inventory.ts'
import type { ControlGroups } from './control-groups.ts'
import { readMachineTypes, type MachineTypes } from './machine-types.ts'
import { createSampler, type Sampler } from './sampler.ts'

const samplingMs = 5_000
const qemuProgram = 'qemu-system-x86_64'
export const trimMs = 10_000
/** The longest wait for machines of the process before. */
export const adoptMs = 15_000
const longestSocket = 107

export interface QemuHostOptions {
  /** Of this host: a folder for each machine is made in it. */
  folder: string
  /** The identity of the database that the machines belong to. */
  owner: string
  /** The id under which it has joined a fleet. */
  hostId?: string
  /** Whether a new host is part of the system before it is added: true unless given. */
  isPart?: boolean
  /** The folder of the bytes of disks. */
  blobs: string
  accelerator: QemuAccelerator
  /**
   * Networks that enforce the rules of VPCs. `outbound`: guests reach what QEMU's user network does, which includes services of
   * this host.
   */
  network: HostNetworks | 'outbound' | 'none'
  clock: Clock
  log: Log
  program?: string
  /** Whether each machine is in a box: see `whyNoBox`. */
  hasBoxes: boolean
  /** Whether boxes reach the outside without the network of the host: see `whyNoUplink`. */
  hasUplink?: boolean | undefined
  /** Bounds each machine: see `openControlGroups`. */
  groups?: ControlGroups | undefined
  /** Where it takes machines of other hosts, with the port 0 for any; undefined if it takes none. */
  arrivals?: { host: string; port: number }
  /** For guests without a boot loader. */
  kernel?: DirectKernel
  /** The folder of the firmware for UEFI; that of Debian's package unless given. */
  firmware?: string
}

/** A driver of machines that outlive it. */
export interface QemuHost extends SledDriver {
  /** Lets go of all machines, which go on. */
  close(): Promise<void>
}

/**
 * Takes over the machines of the process before. Throws if the path of the folder is too long for sockets, or its machines
 * belong to another database.
 */
export async function createQemuHost(options: QemuHostOptions): Promise<QemuHost> {
  const { folder, owner, isPart = true } = options
  const longest = filesIn(join(folder, '0'.repeat(36))).serial
  if (Buffer.byteLength(longest) > longestSocket)
    throw new Error(`the path ${folder} is too long for sockets`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const identity = await identityIn(folder, { owner, isPart })
  if (identity.owner !== owner) throw new Error(`the machines in ${folder} belong to another database`)
  const types = await readMachineTypes(options.program ?? qemuProgram)
  const listener = options.arrivals && (await listenForMachines(options.arrivals, options.log))
  const host = new Host(options, identity, { types, listener })
  const ids = (await readdir(folder)).filter(isId)
  await removeOtherLinks(hostLinks(options.blobs, identity.rackId), ids)
  await options.groups?.removeOthers(ids)
  const adopted = ids.map((id) => host.adopt(id))
  // A machine that does not answer must not keep the others from their users.
  let cancel = () => {}
  const late = new Promise<void>((done) => (cancel = options.clock.after(adoptMs, done)))
  await Promise.race([late, Promise.all(adopted)])
  cancel()
  return host
}

const noSwitches = () => Promise.reject(new SwitchUnreachable('this host has no switches'))

class Host implements QemuHost {
  keepsBytes = () => true
  readonly switches = { configure: noSwitches, version: noSwitches, status: noSwitches }
  #options: QemuHostOptions
  #identity: HostIdentity
  #types: MachineTypes
  #context: MachineContext
  #machines = new Map<string, Machine>()
  #watchers = new Set<{ onChange: (status: VmStatus) => void }>()
  #hardwareWatchers = new Set<{ onChange: () => void }>()
  #networks: NetworksOfHost
  #arrivals: Arrivals | undefined
  #sampler: Sampler
  #stopTrimming = () => {}

  constructor(
    options: QemuHostOptions,
    identity: HostIdentity,
    { types, listener }: { types: MachineTypes; listener: MachineListener | undefined },
  ) {
    const { clock, log, network, blobs, program = qemuProgram, folder } = options
    this.#options = options
    this.#types = types
    this.#identity = identity
    let seq = 0
    this.#context = {
      ...options,
      program,
      folderOf: (id) => join(folder, id),
      linksOf: (id) => join(hostLinks(blobs, identity.rackId), id),
      nextSeq: () => (seq = Math.max(seq + 1, Math.floor(clock.now()))),
      report: (status) => this.#report(status),
      onMeter: (meter) => this.#sampler.add(meter),
      onRemoved: (machine) => {
        if (this.#machines.get(machine.id) === machine) this.#machines.delete(machine.id)
      },
    }
    this.#sampler = createSampler(clock, samplingMs, {
      isRunning: (meter) =>
        [...this.#machines.values()].some((machine) => machine.meter === meter && machine.alive),
      traffic: async (nicIds) =>
        typeof network === 'string' || nicIds.length === 0 ? [] : network.traffic(nicIds),
    })
    this.#networks = new NetworksOfHost(network, log)
    this.#arrivals = listener && new Arrivals(this.#forArrivals(), listener, options.arrivals?.host ?? '')
    this.#trimLogs()
  }

  #forArrivals() {
    return {
      ...this.#context,
      make: (id: string, record: MachineRecord) => new Machine(id, record, this.#context),
      requireRoom: async (id: string, boot: number) => {
        await this.#networks.require()
        const current = this.#machines.get(id)
        if (current && current.boot >= boot) throw new Refused('the other host has this machine already')
        current?.replace()
        await current?.free()
      },
      admit: (machine: Machine) => void this.#machines.set(machine.id, machine),
    }
  }

  async adopt(id: string): Promise<void> {
    const record = await readRecord(this.#context.folderOf(id))
    if (!record) return this.#options.log.warn({ machine: id }, 'the record of a machine cannot be read')
    const machine = new Machine(id, record, this.#context)
    this.#machines.set(id, machine)
    if (record.spec.sledId !== this.#identity.id) machine.remove()
    await machine.adopt().catch((error: unknown) => {
      this.#options.log.warn({ machine: id, reason: messageOf(error) }, 'a machine cannot be taken over')
    })
  }

  async close(): Promise<void> {
    this.#watchers.clear()
    this.#sampler.stop()
    this.#stopTrimming()
    await this.#arrivals?.close()
    await Promise.all([...this.#machines.values()].map((machine) => machine.release()))
  }

  async ensure(id: string, spec: VmSpec) {
    this.#requireHere(spec.sledId)
    requireSafe(id, spec)
    const known = this.#machines.get(id)?.boot
    if (known === undefined || known < spec.boot) await this.#networks.require()
    const current = this.#machines.get(id)
    if (current && current.boot > spec.boot) return
    if (current?.boot === spec.boot) return requireKnown(current).resets.request(spec.reset)
    const machineType = this.#types.choose(spec.machineType)
    const machine = new Machine(id, { spec: { ...spec, machineType } }, this.#context)
    this.#machines.set(id, machine)
    current?.replace()
    machine.start(current?.free() ?? this.#arrivals?.drop(id, spec.boot))
  }

  async remove(id: string, sledId: string, boot: number) {
    this.#requireHere(sledId)
    await this.#arrivals?.drop(id, boot)
    const machine = this.#machines.get(id)
    if (machine && machine.boot <= boot) machine.remove()
  }

  async shutDown(id: string, sledId: string, boot: number) {
    const machine = this.#find(id, sledId)
    if (machine?.boot === boot && machine.alive) machine.pressPowerButton()
  }

  async setLayers(id: string, sledId: string, to: VmLayers) {
    const machine = this.#find(id, sledId)
    requireLayers(to.disks)
    if (machine?.boot === to.boot) await machine.setLayers(to)
  }

  async migrate(id: string, migration: VmMigration) {
    const machine = this.#find(id, migration.spec.sledId)
    if (machine?.boot === migration.spec.boot) machine.departure.begin(migration)
  }

  async receive(id: string, migration: VmMigration) {
    this.#requireHere(migration.to)
    if (!this.#arrivals) throw new SledUnreachable('this host takes no machines of others')
    return this.#arrivals.expect(id, migration)
  }

  async setNetwork(sledId: string, pushed: SledNetwork) {
    this.#requireHere(sledId)
    await this.#networks.set(pushed)
  }

  async networks(sledId: string) {
    this.#requireHere(sledId)
    return this.#networks.held()
  }

  async machines(sledId: string) {
    this.#requireHere(sledId)
    return [...this.#machines.values()].map(({ id, boot, status }) => ({ id, boot, state: status.state }))
  }

  async inspect(id: string, sledId: string) {
    return this.#find(id, sledId)?.status ?? null
  }

  async samples(sledId: string, since: number | null) {
    this.#requireHere(sledId)
    return this.#sampler.samples(since)
  }

  watch(onChange: (status: VmStatus) => void) {
    const watcher = { onChange }
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  async readConsole(
    id: string,
    sledId: string,
    range: { from: number; max: number } | { last: number; max: number },
  ) {
    const machine = this.#find(id, sledId)
    return machine?.alive === true ? readRange(machine.log, range) : null
  }

  async openConsole(
    { id, sledId }: { id: string; sledId: string },
    start: ConsoleStart,
    to: ConsoleListener,
  ) {
    const machine = this.#find(id, sledId)
    await machine?.ready()
    return machine?.alive === true ? machine.consoles.serial.open(start, to) : null
  }

  async openDisplay({ id, sledId }: { id: string; sledId: string }, to: ConsoleListener) {
    const machine = this.#find(id, sledId)
    await machine?.ready()
    return machine?.alive === true ? machine.consoles.display.open(to) : null
  }

  async hosts() {
    return [this.#identity.id]
  }

  async hold(sledId: string) {
    this.#requireHere(sledId)
  }

  async hardware() {
    const { accelerator, blobs, network, hostId } = this.#options
    return inventoryOf({
      identity: this.#identity,
      accelerator: accelerator === 'kvm' ? 'kvm' : 'emulation',
      networkMode: typeof network === 'string' ? network : 'enforced',
      named: await this.#networks.named(),
      blobs,
      hostId,
    })
  }

  watchHardware(onChange: () => void) {
    const watcher = { onChange }
    this.#hardwareWatchers.add(watcher)
    return () => void this.#hardwareWatchers.delete(watcher)
  }

  async addSled({ part, serial }: { part: string; serial: string }) {
    const board = await baseboard(this.#options.hostId)
    if (board.part !== part || board.serial !== serial) return null
    await this.#setPart(true)
    return (await this.hardware()).sleds[0] ?? null
  }

  async dropSled(sledId: string) {
    if (sledId !== this.#identity.id) return
    // It comes back as a new one: the control plane never takes this id again.
    this.#identity = { ...this.#identity, id: randomUUID() }
    await this.#setPart(false)
    this.#removeForeign()
    await this.#networks.clear()
  }

  /** Ends the machines that the control plane does not know of: this host was another one to it. */
  #removeForeign(): void {
    for (const machine of this.#machines.values())
      if (machine.status.sledId !== this.#identity.id) machine.remove()
  }

  async install(): Promise<void> {
    throw new SledUnreachable('the software of this host is not installed from here')
  }

  async *diagnostics(): AsyncGenerator<DiagnosticFile> {
    const { serial } = await baseboard(this.#options.hostId)
    yield { serial, name: 'host.json', content: jsonOf(await this.hardware()) }
    const machines = [...this.#machines.values()].map(({ status }) => status)
    yield { serial, name: 'machines.json', content: jsonOf(machines) }
    yield { serial, name: 'networks.json', content: jsonOf(await this.#networks.held()) }
  }

  async #setPart(isPart: boolean): Promise<void> {
    if (this.#identity.isPart === isPart) return
    this.#identity = { ...this.#identity, isPart }
    await saveIdentity(this.#options.folder, this.#identity)
    for (const { onChange } of this.#hardwareWatchers) onChange()
  }

  #requireHere(sledId: string): void {
    const { id, isPart } = this.#identity
    if (sledId !== id || !isPart) throw new SledUnreachable(`sled ${sledId} does not answer`)
  }

  #find(id: string, sledId: string): Machine | undefined {
    this.#requireHere(sledId)
    const machine = this.#machines.get(id)
    return machine && requireKnown(machine)
  }

  #trimLogs(): void {
    this.#stopTrimming = this.#options.clock.after(trimMs, () => {
      for (const machine of this.#machines.values()) machine.trim()
      this.#trimLogs()
    })
  }

  /** Delivers reports after the call that caused them. */
  #report(status: VmStatus): void {
    void Promise.resolve().then(() => {
      const watchers = [...this.#watchers]
      for (const watcher of watchers) if (this.#watchers.has(watcher)) watcher.onChange({ ...status })
    })
  }
}

/** Throws SledUnreachable while it is not known whether the machine runs. */
function requireKnown(machine: Machine): Machine {
  if (machine.isAdopting) throw new SledUnreachable(`machine ${machine.id} does not answer`)
  return machine
}

async function* jsonOf(value: unknown): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`))
}
