/** The options of the simulated sleds, and their failures for tests and demonstrations. */
import type { Clock, NetworkInterface, Packet, SledDriver, VmAddress } from '@purlin/core/ports'
import type { RackOptions } from './rack.ts'
import type { SimulatedSwitches } from './switches/simulated-switches.ts'
import type { Timings } from './timings.ts'

/** The configuration of a simulated rack. */
export interface SimulationOptions {
  clock: Clock
  /** Random numbers from 0 (included) to 1 (excluded), for the durations of operations. */
  random?: () => number
  rack?: RackOptions
  timings?: Partial<Timings>
  /**
   * For demonstrations: the counters of a machine whose first start is soon after that of the simulation begin this many
   * milliseconds earlier, so that it has a history of measurements.
   */
  past?: number
  /**
   * For demonstrations: from the first report after a request for samples on, one of the sleds is away, a disk of another one is failing, and a link is
   * down.
   */
  hasFaults?: boolean
}

/** A sled driver that simulates machines, with failures for tests and demonstrations. */
export interface SimulatedSleds extends SledDriver {
  /** The switches, with the failures of what is around them. */
  readonly switches: SimulatedSwitches
  /** The same sleds as another server reaches them. They obey the newest holder of each, and refuse the others. */
  asServer(): SledDriver
  /** The current start of this machine, or else the next one, fails with `reason`. */
  failNextStart(id: string, reason: string): void
  /** The next migration of this machine fails with `reason`, and the machine stays where it is. */
  failNextMigration(id: string, reason: string): void
  /** The machine fails. Does nothing if it is not alive. */
  crash(id: string, reason: string): void
  /** The guest shuts down. */
  guestShutdown(id: string): void
  /** The sled loses the machine without a report. */
  forget(id: string): void
  /** The sled becomes unreachable; its machines continue. Reports are held back, console streams end. */
  loseSled(sledId: string): void
  /** The sled is reachable again and delivers the last report of each machine that changed. */
  restoreSled(sledId: string): void
  /** The guest writes these bytes to its serial console. */
  print(id: string, bytes: Uint8Array): void
  /** The rules of a sled for an interface; undefined if none has it. */
  interfaceOf(nicId: string): NetworkInterface | undefined
  /** The external addresses of an interface that its sled enforces; empty if no sled has the interface. */
  externalIps(nicId: string): readonly VmAddress[]
  /** True if the first packet of a flow that an interface sends reaches another one, or the outside. */
  carries(nicId: string, packet: Packet): boolean
  /** True if a packet from outside reaches an interface; its destination is the private address. */
  admits(nicId: string, packet: Packet): boolean
  /** A disk begins to fail. */
  failDisk(diskId: string, reason: string): void
  /** The link of a port of a switch goes down or comes up. */
  setLink(portId: string, state: 'up' | 'down'): void
  /** A disk, a switch or a port vanishes. */
  pull(id: string): void
  /** It is there again. */
  plug(id: string): void
  /** The sled loses all networks, as after a loss of power. */
  restartNetworks(sledId: string): void
}
