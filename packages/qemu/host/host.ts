/** Runs machines with QEMU on this host. */
import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  SledUnreachable,
  SwitchUnreachable,
  type Clock,
  type ConsoleListener,
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
import { readRange } from '../machine/console-log.ts'
import { filesIn, type MachineContext } from '../machine/context.ts'
import { hostLinks, removeOtherLinks } from '../machine/disk-links.ts'
import { Machine } from '../machine/machine.ts'
import { readRecord } from '../machine/record.ts'
import { isId, requireLayers, requireSafe } from '../machine/safe-ids.ts'
import { baseboard, identityIn, inventoryOf, saveIdentity, type HostIdentity } from './inventory.ts'
import { createSampler, type Sampler } from './sampler.ts'

const samplingMs = 5_000
const trimMs = 60_000
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
  /** For guests without a boot loader. */
  kernel?: DirectKernel
}

/** A driver of machines that outlive it. */
export interface QemuHost extends SledDriver {
  /** Lets go of all machines, which go on. */
  close(): Promise<void>
}

/**
 * True if this process may use the processor for virtual machines. Where the device is there but the processor has no
 * virtualization, a kernel emulates it, and guests halt at instructions that it does not know.
 */
export async function hasKvm(device = '/dev/kvm', processors = '/proc/cpuinfo'): Promise<boolean> {
  try {
    await access(device, constants.R_OK | constants.W_OK)
    return /^flags\s*:.*\b(?:vmx|svm)\b/m.test(await readFile(processors, 'utf8'))
  } catch {
    return false
  }
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
  const host = new Host(options, identity)
  const ids = (await readdir(folder)).filter(isId)
  await removeOtherLinks(hostLinks(options.blobs, identity.rackId), ids)
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
  #context: MachineContext
  #machines = new Map<string, Machine>()
  #watchers = new Set<{ onChange: (status: VmStatus) => void }>()
  #hardwareWatchers = new Set<{ onChange: () => void }>()
  #networks = new Map<string, { version: number; isEmpty: boolean }>()
  #sampler: Sampler
  #stopTrimming = () => {}

  constructor(options: QemuHostOptions, identity: HostIdentity) {
    const {
      clock,
      log,
      accelerator,
      network,
      blobs,
      kernel,
      program = 'qemu-system-x86_64',
      folder,
      hasBoxes,
    } = options
    this.#options = options
    this.#identity = identity
    let seq = 0
    this.#context = {
      clock,
      log,
      accelerator,
      network,
      blobs,
      kernel,
      program,
      hasBoxes,
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
    this.#trimLogs()
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
    await Promise.all([...this.#machines.values()].map((machine) => machine.release()))
  }

  async ensure(id: string, spec: VmSpec) {
    this.#requireHere(spec.sledId)
    requireSafe(id, spec)
    const known = this.#machines.get(id)?.boot
    if (known === undefined || known < spec.boot) await this.#requireNetworks()
    const current = this.#machines.get(id)
    if (current && current.boot > spec.boot) return
    if (current?.boot === spec.boot) return requireKnown(current).requestReset(spec.reset)
    const machine = new Machine(id, { spec }, this.#context)
    this.#machines.set(id, machine)
    current?.replace()
    machine.start(current?.free())
  }

  /** A machine starts later if networks cannot be made now: throws SledUnreachable. */
  async #requireNetworks(): Promise<void> {
    const { network } = this.#context
    if (typeof network !== 'string') await network.held()
  }

  async remove(id: string, sledId: string, boot: number) {
    this.#requireHere(sledId)
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

  async migrate(id: string, { id: migration, spec }: VmMigration) {
    const machine = this.#find(id, spec.sledId)
    if (machine?.boot === spec.boot) machine.refuseMigration(migration)
  }

  async setNetwork(sledId: string, pushed: SledNetwork) {
    this.#requireHere(sledId)
    const { network } = this.#options
    if (typeof network !== 'string') return this.#enforce(network, pushed)
    const { vpcId, version, interfaces } = pushed
    if (this.#networks.get(vpcId)?.version === version) return
    this.#networks.set(vpcId, { version, isEmpty: interfaces.length === 0 })
  }

  /** One network that the kernel does not take must not keep the others of its round from theirs. */
  async #enforce(networks: HostNetworks, pushed: SledNetwork): Promise<void> {
    try {
      await networks.set(pushed)
    } catch (error) {
      const reason = messageOf(error)
      this.#options.log.warn({ vpc: pushed.vpcId, reason }, 'the network of a VPC cannot be enforced')
      throw new SledUnreachable(`the network of VPC ${pushed.vpcId} is not enforced: ${reason}`)
    }
  }

  async networks(sledId: string) {
    this.#requireHere(sledId)
    return this.#heldNetworks()
  }

  async #heldNetworks() {
    const { network } = this.#options
    if (typeof network !== 'string') return network.held()
    return [...this.#networks].flatMap(([vpcId, { version, isEmpty }]) =>
      isEmpty ? [] : [{ vpcId, version }],
    )
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

  async openConsole({ id, sledId }: { id: string; sledId: string }, history: number, to: ConsoleListener) {
    const machine = this.#find(id, sledId)
    await machine?.ready()
    return machine?.alive === true ? machine.serial.open(history, to) : null
  }

  async openDisplay({ id, sledId }: { id: string; sledId: string }, to: ConsoleListener) {
    const machine = this.#find(id, sledId)
    await machine?.ready()
    return machine?.alive === true ? machine.display.open(to) : null
  }

  async hosts() {
    return [this.#identity.id]
  }

  async hold(sledId: string) {
    this.#requireHere(sledId)
  }

  hardware() {
    const { accelerator, blobs, network, hostId } = this.#options
    return inventoryOf({
      identity: this.#identity,
      accelerator: accelerator === 'kvm' ? 'kvm' : 'emulation',
      networkMode: typeof network === 'string' ? network : 'enforced',
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
    const { network } = this.#options
    if (typeof network !== 'string') await network.clear()
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
    yield { serial, name: 'networks.json', content: jsonOf(await this.#heldNetworks()) }
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
