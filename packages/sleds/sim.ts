import {
  SledUnreachable,
  type Clock,
  type ConsoleListener,
  type SledDriver,
  type SledInfo,
  type VmAddress,
  type VmSpec,
  type VmStatus,
} from '@purlin/core/ports'
import { Machine, type MachineWorld } from './machine.ts'
import { Meters } from './meter.ts'
import { makeRack, type RackOptions } from './rack.ts'
import { believable, type Timings } from './timings.ts'

/** What a simulated rack is made of. */
export interface SimulationOptions {
  clock: Clock
  /** From 0 (included) to 1 (not included); decides how long things take. */
  random?: () => number
  rack?: RackOptions
  timings?: Partial<Timings>
  /**
   * For demonstrations: a new machine that starts soon after the simulation counts since this many
   * milliseconds before, so that there is something to see of it at once.
   */
  past?: number
}

/** Machines that start later than this belong to nobody's demonstration. */
const soonMs = 30_000

/** A sled driver without machines, and the mishaps that tests and demonstrations call for. */
export interface SimulatedSleds extends SledDriver {
  /** The next start of this machine to complete fails with `reason`, a start under way included. */
  failNextStart(id: string, reason: string): void
  /** The machine fails now. Nothing happens if it is not alive. */
  crash(id: string, reason: string): void
  /** Someone inside the running guest shuts it down. */
  guestShutdown(id: string): void
  /** The sled loses the machine and says nothing. */
  forget(id: string): void
  /** The sled stops answering; its machines go on. Reports wait, console streams break. */
  loseSled(sledId: string): void
  /** The sled answers again and delivers the last report of each machine that changed. */
  restoreSled(sledId: string): void
  /** The guest writes these bytes to its serial console. */
  print(id: string, bytes: Uint8Array): void
  /** The external addresses that lead to the machine; none if there is no such machine. */
  externalIps(id: string): readonly VmAddress[]
}

/**
 * Simulated sleds for any runtime, with believable timings.
 *
 * Rules beyond the port's: a driver holds one machine per id, wherever it runs. One that failed or was
 * shut down inside stays known, so that `inspect` can tell why, and asking for the same boot again does
 * not revive it; `remove` or a newer boot ends that. Every `remove` of a known machine ends in a
 * `stopped` report. `seq` counts from the clock's milliseconds, so it grows over restarts too.
 *
 * Nothing outlives the process: after a restart the rack is like one that lost power. The control plane
 * sees null from `inspect` and either marks the machine failed or calls `ensure` again, which simply
 * starts it, with the same boot too.
 */
export function createSimulatedSleds(options: SimulationOptions): SimulatedSleds {
  return new Simulation(options)
}

class Simulation implements SimulatedSleds {
  #rack: SledInfo[]
  #world: MachineWorld
  #machines = new Map<string, Machine>()
  #watchers = new Set<{ onChange: (status: VmStatus) => void }>()
  #startFailures = new Map<string, string>()
  #meters: Meters
  /** Reports that wait, by machine, for each sled that does not answer. */
  #lost = new Map<string, Map<string, VmStatus>>()

  constructor({ clock, random = Math.random, rack = {}, timings = {}, past = 0 }: SimulationOptions) {
    this.#rack = makeRack(rack)
    this.#meters = new Meters(past)
    const soon = clock.now() + soonMs
    let seq = 0
    this.#world = {
      clock,
      random,
      timings: { ...believable, ...timings },
      nextSeq: () => (seq = Math.max(seq + 1, Math.floor(clock.now()))),
      report: (status) => this.#report(status),
      startFailure: (id) => {
        const reason = this.#startFailures.get(id)
        this.#startFailures.delete(id)
        return reason
      },
      meter: (id, spec) => {
        const now = clock.now()
        return this.#meters.open(id, spec, spec.boot === 1 && now < soon ? now - past : now)
      },
      gone: (machine) => this.#drop(machine),
    }
  }

  async sleds() {
    return this.#rack.map((sled) => ({ ...sled }))
  }

  async ensure(id: string, spec: VmSpec) {
    this.#reach(spec.sledId)
    const held = this.#machines.get(id)
    if (held && held.boot > spec.boot) return
    if (held?.boot === spec.boot) return held.wantReset(spec.reset)
    this.#machines.set(id, new Machine(id, spec, this.#world))
    held?.vanish('VM stopped')
  }

  async remove(id: string, sledId: string, boot: number) {
    const machine = this.#find(id, sledId)
    if (machine && machine.boot <= boot) machine.remove()
  }

  async setExternalIps(
    { id, sledId, boot }: { id: string; sledId: string; boot: number },
    addresses: readonly VmAddress[],
  ) {
    const machine = this.#find(id, sledId)
    if (machine?.boot === boot) machine.externalIps = addresses
  }

  async inspect(id: string, sledId: string) {
    return this.#find(id, sledId)?.status ?? null
  }

  async samples(sledId: string, since: number | null) {
    this.#reach(sledId)
    return this.#meters.samples({ sledId, since, now: this.#world.clock.now() })
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

  async openConsole({ id, sledId }: { id: string; sledId: string }, history: number, to: ConsoleListener) {
    const machine = this.#find(id, sledId)
    if (!machine?.alive) return null
    let open = true
    const detach = machine.serial.attach(history, {
      data: (bytes) => to.data(bytes),
      closed: (reason) => {
        open = false
        to.closed(reason)
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
    machine.vanish('VM lost')
  }

  loseSled(sledId: string) {
    if (this.#lost.has(sledId)) return
    this.#lost.set(sledId, new Map())
    for (const machine of this.#machines.values())
      if (machine.sledId === sledId) machine.serial.hangUp('sled unreachable')
  }

  restoreSled(sledId: string) {
    const waiting = this.#lost.get(sledId)
    this.#lost.delete(sledId)
    for (const status of waiting?.values() ?? []) this.#report(status)
  }

  print(id: string, bytes: Uint8Array) {
    const machine = this.#machines.get(id)
    if (machine?.alive) machine.serial.print(bytes)
  }

  externalIps(id: string) {
    return this.#machines.get(id)?.externalIps ?? []
  }

  #reach(sledId: string) {
    const known = this.#rack.some((sled) => sled.id === sledId)
    if (!known || this.#lost.has(sledId)) throw new SledUnreachable(`sled ${sledId} does not answer`)
  }

  #find(id: string, sledId: string): Machine | undefined {
    this.#reach(sledId)
    const machine = this.#machines.get(id)
    return machine?.sledId === sledId ? machine : undefined
  }

  #drop(machine: Machine) {
    this.#machines.delete(machine.id)
  }

  #tell(status: VmStatus) {
    const watchers = [...this.#watchers]
    for (const watcher of watchers) if (this.#watchers.has(watcher)) watcher.onChange({ ...status })
  }

  /** Reports arrive after the call that caused them, never inside it, as from a real sled. */
  #report(status: VmStatus) {
    const waiting = this.#lost.get(status.sledId)
    if (waiting) waiting.set(status.id, status)
    else void Promise.resolve().then(() => this.#tell(status))
  }
}
