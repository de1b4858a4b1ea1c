import { messages } from '@purlin/contract/rules/messages'
import {
  createHolderEpochs,
  SledUnreachable,
  type ConsoleListener,
  type ConsoleStart,
  type Hardware,
  type HostLoad,
  type Packet,
  type SledNetwork,
  type VmLayers,
  type VmMigration,
  type VmSpec,
  type VmStatus,
} from '@purlin/core/ports'
import { callerOf } from './caller.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { Machine, type MachineContext } from './machine.ts'
import { Meters } from './meter.ts'
import { SimulatedNetworks } from './networks.ts'
import { SimulatedHardware } from './hardware.ts'
import { SimulatedSwitches } from './switches/simulated-switches.ts'
import { demoRack } from './rack.ts'
import { realistic } from './timings.ts'
import type { SimulatedSleds, SimulationOptions } from './simulation.ts'

/** The options of demonstrations, with a history of this many milliseconds. */
export const forDemo = (past: number) => ({ past, rack: demoRack, hasFaults: true })

/** From the report without the sled that the demo loses to its loss: what was placed on it before has started by then. */
const lossMs = 60_000

/**
 * Simulated sleds for any runtime, with realistic timings.
 *
 * Rules in addition to those of the port: a driver has one machine per id, on whichever sled. A machine that failed
 * or was shut down by its guest stays known, so that `inspect` returns the reason, and `ensure` with the same boot
 * does not restart it; `remove` or a newer boot does. Every `remove` of a known machine ends in a `stopped` report.
 * `seq` starts at the clock's milliseconds, so it increases over restarts too.
 *
 * Nothing is persistent: after a restart the rack is like one that lost power. The control plane gets null from
 * `inspect` and either marks the machine failed or calls `ensure` again, which starts it, also with the same boot.
 */
export function createSimulatedSleds(options: SimulationOptions): SimulatedSleds {
  return new Simulation(options)
}

class Simulation implements SimulatedSleds {
  // The guests have no disks that could be written.
  keepsBytes = () => false
  readonly switches: SimulatedSwitches
  #hardware: SimulatedHardware
  #context: MachineContext
  #machines = new Map<string, Machine>()
  #watchers = new Set<{ onChange: (status: VmStatus) => void }>()
  #startFailures = new Map<string, string>()
  #migrationFailures = new Map<string, string>()
  #meters: Meters
  #networks = new SimulatedNetworks()
  /** Reports that are held back, by machine, for each unreachable sled. */
  #unreachable = new Map<string, Map<string, VmStatus>>()

  /** Those of a demonstration. */
  #faults: 'none' | 'later' | 'due'
  #epochs = createHolderEpochs()

  constructor({
    clock,
    random = Math.random,
    rack = {},
    timings = {},
    past = 0,
    hasFaults = false,
  }: SimulationOptions) {
    this.#faults = hasFaults ? 'later' : 'none'
    this.#hardware = new SimulatedHardware(rack)
    this.switches = new SimulatedSwitches(this.#hardware, clock)
    this.#meters = new Meters(past, clock.now())
    let seq = 0
    this.#context = {
      clock,
      random,
      timings: { ...realistic, ...timings },
      interfaceOf: (nicId) => this.#networks.interfaceOf(nicId),
      nextSeq: () => (seq = Math.max(seq + 1, Math.floor(clock.now()))),
      report: (status) => this.#report(status),
      startFailure: (id) => {
        const reason = this.#startFailures.get(id)
        this.#startFailures.delete(id)
        return reason
      },
      meter: (id, spec) => this.#meters.open(id, spec, clock.now()),
      onRemoved: (machine) => this.#drop(machine),
    }
  }

  async hosts() {
    return this.#hardware.sleds.map(({ id }) => id)
  }

  async hold(sledId: string) {
    this.#requireReachable(sledId)
  }

  asServer() {
    return callerOf(this, this.#epochs)
  }

  async hardware() {
    if (this.#faults === 'due') this.#fail(this.#inventory())
    return this.#inventory()
  }

  #inventory() {
    return this.#hardware.report((sledId) => this.#loadOf(sledId))
  }

  watchHardware(onChange: () => void) {
    return this.#hardware.watch(onChange)
  }

  async addSled(board: { part: string; serial: string }) {
    return this.#hardware.add(board)
  }

  async install(componentId: string, { version }: { version: string }) {
    const { clock, timings } = this.#context
    const begun = this.#hardware.beginInstall(componentId, version)
    if (begun) clock.after(timings.restart, begun.end)
  }

  async *diagnostics() {
    yield* diagnosticsOf({
      hardware: await this.hardware(),
      sleds: this.#hardware.sleds,
      on: (sledId) => ({
        machines: [...this.#machines.values()].flatMap((one) => (one.sledId === sledId ? one.status : [])),
        networks: this.#networks.held(sledId),
      }),
    })
  }

  async dropSled(sledId: string) {
    for (const machine of this.#machines.values()) if (machine.sledId === sledId) this.forget(machine.id)
    this.#unreachable.delete(sledId)
    this.#hardware.drop(sledId)
  }

  failDisk(diskId: string, reason: string) {
    this.#hardware.setHealth(diskId, 'failing', reason)
  }

  setLink(portId: string, state: 'up' | 'down') {
    this.#hardware.setLink(portId, state)
  }

  pull(id: string) {
    this.#hardware.setAway(id, true)
  }

  plug(id: string) {
    this.#hardware.setAway(id, false)
  }

  async ensure(id: string, spec: VmSpec) {
    this.#requireReachable(spec.sledId)
    const current = this.#machines.get(id)
    if (current && current.boot > spec.boot) return
    if (current?.boot === spec.boot) return current.requestReset(spec.reset)
    this.#machines.set(id, new Machine(id, spec, this.#context))
    current?.dispose('VM stopped')
  }

  async remove(id: string, sledId: string, boot: number) {
    const machine = this.#find(id, sledId)
    if (machine && machine.boot <= boot) machine.remove()
  }

  async shutDown(id: string, sledId: string, boot: number) {
    const machine = this.#find(id, sledId)
    if (machine?.boot === boot) machine.pressPowerButton()
  }

  async setLayers(id: string, sledId: string, { boot, storage }: VmLayers) {
    const machine = this.#find(id, sledId)
    if (machine?.boot === boot) machine.setStorage(storage)
  }

  async migrate(id: string, { id: migration, to, spec }: VmMigration) {
    const machine = this.#find(id, spec.sledId)
    if (machine?.boot !== spec.boot) return
    machine.migrate(migration, to, () => {
      const reason = this.#migrationFailures.get(id)
      this.#migrationFailures.delete(id)
      const isThere = this.#hardware.sleds.some((sled) => sled.id === to) && !this.#unreachable.has(to)
      return isThere ? reason : 'the other sled does not answer'
    })
  }

  async setNetwork(sledId: string, network: SledNetwork) {
    this.#requireReachable(sledId)
    this.#networks.set(sledId, network)
  }

  async networks(sledId: string) {
    this.#requireReachable(sledId)
    return this.#networks.held(sledId)
  }

  carries(nicId: string, packet: Packet) {
    return this.#networks.carries(nicId, packet)
  }

  admits(nicId: string, packet: Packet) {
    return this.#networks.admits(nicId, packet)
  }

  interfaceOf(nicId: string) {
    return this.#networks.interfaceOf(nicId)
  }

  externalIps(nicId: string) {
    return this.#networks.externalIps(nicId)
  }

  restartNetworks(sledId: string) {
    this.#networks.forget(sledId)
  }

  async machines(sledId: string) {
    this.#requireReachable(sledId)
    const here = [...this.#machines.values()].filter((machine) => machine.sledId === sledId)
    return here.map(({ id, boot, status }) => ({ id, boot, state: status.state }))
  }

  async inspect(id: string, sledId: string) {
    return this.#find(id, sledId)?.status ?? null
  }

  async samples(sledId: string, since: number | null) {
    this.#requireReachable(sledId)
    // The sleds are known by now: samples are asked for by their rows. The faults come with the next report.
    if (this.#faults === 'later') {
      this.#faults = 'due'
      this.#hardware.changed()
    }
    return this.#meters.samples({ sledId, since, now: this.#context.clock.now() })
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
    if (!machine?.alive) return null
    const { log } = machine.serial
    return 'from' in range ? log.from(range.from, range.max) : log.last(range.last, range.max)
  }

  async openConsole(
    { id, sledId }: { id: string; sledId: string },
    start: ConsoleStart,
    to: ConsoleListener,
  ) {
    const machine = this.#find(id, sledId)
    if (!machine?.alive) return null
    let open = true
    const detach = machine.serial.attach(start, {
      data: (bytes) => to.data(bytes),
      closed: (reason, end) => {
        open = false
        to.closed(reason, end)
      },
    })
    return {
      write: (bytes: Uint8Array) => {
        if (open) machine.type(bytes)
      },
      close: () => {
        open = false
        detach()
      },
    }
  }

  async openDisplay({ id, sledId }: { id: string; sledId: string }, to: ConsoleListener) {
    if (!this.#find(id, sledId)?.alive) return null
    to.closed(messages.simulatedHasNoScreen({}))
    return { write: () => undefined, close: () => undefined, setPaused: () => undefined }
  }

  failNextMigration(id: string, reason: string) {
    this.#migrationFailures.set(id, reason)
  }

  failNextStart(id: string, reason: string) {
    this.#startFailures.set(id, reason)
  }

  crash(id: string, reason: string) {
    this.#machines.get(id)?.crash(reason)
  }

  guestShutdown(id: string) {
    this.#machines.get(id)?.shutDown()
  }

  forget(id: string) {
    const machine = this.#machines.get(id)
    if (!machine) return
    this.#drop(machine)
    machine.dispose('VM lost')
  }

  loseSled(sledId: string) {
    if (this.#unreachable.has(sledId)) return
    this.#unreachable.set(sledId, new Map())
    this.#hardware.setAway(sledId, true)
    for (const machine of this.#machines.values())
      if (machine.sledId === sledId) machine.serial.closeAll('sled unreachable')
  }

  restoreSled(sledId: string) {
    const reports = this.#unreachable.get(sledId)
    this.#unreachable.delete(sledId)
    this.#hardware.setAway(sledId, false)
    for (const status of reports?.values() ?? []) this.#report(status)
  }

  print(id: string, bytes: Uint8Array) {
    const machine = this.#machines.get(id)
    if (machine?.alive) machine.serial.print(bytes)
  }

  #requireReachable(sledId: string) {
    const known = this.#hardware.sleds.some((sled) => sled.id === sledId)
    if (!known || this.#unreachable.has(sledId)) throw new SledUnreachable(`sled ${sledId} does not answer`)
  }

  #find(id: string, sledId: string): Machine | undefined {
    this.#requireReachable(sledId)
    const machine = this.#machines.get(id)
    return machine?.sledId === sledId ? machine : undefined
  }

  /** The guests use all of their memory and a tenth of their vCPUs, on average. */
  #loadOf(sledId: string): HostLoad {
    const here = [...this.#machines.values()].filter((machine) => machine.sledId === sledId && machine.alive)
    const sum = (of: (machine: Machine) => number) => here.reduce((all, machine) => all + of(machine), 0)
    return {
      threads: sum(({ spec }) => spec.ncpus) / 10,
      memory: sum(({ spec }) => spec.memory),
      storage: sum(({ spec }) => spec.disks.reduce((all, disk) => all + disk.size, 0)),
    }
  }

  #fail({ sleds, disks, ports }: Hardware) {
    this.#faults = 'none'
    const away = sleds.at(-1)?.id
    const disk = disks.find(({ sledId }) => sledId === sleds.at(0)?.id)
    const link = ports.findLast(({ state }) => state === 'up')
    if (away !== undefined) {
      this.#hardware.setAway(away, true)
      this.#context.clock.after(lossMs, () => this.loseSled(away))
    }
    if (disk) this.failDisk(disk.id, '14 sectors cannot be read, and its spare ones run out')
    if (link) this.setLink(link.id, 'down')
  }

  #drop(machine: Machine) {
    this.#machines.delete(machine.id)
  }

  #notify(status: VmStatus) {
    const watchers = [...this.#watchers]
    for (const watcher of watchers) if (this.#watchers.has(watcher)) watcher.onChange({ ...status })
  }

  /** Delivers reports after the call that caused them, as a real sled does. */
  #report(status: VmStatus) {
    const reports = this.#unreachable.get(status.sledId)
    if (reports) reports.set(status.id, status)
    else void Promise.resolve().then(() => this.#notify(status))
  }
}
