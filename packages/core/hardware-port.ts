/**
 * The hardware under the cloud, as a driver reports it: only what any real host can say. A value that a host cannot
 * measure is null.
 */
import type {
  Accelerator,
  CpuFamily,
  DiskHealth,
  FormFactor,
  LinkState,
  NetworkMode,
} from '@purlin/contract/rules/hardware'
import type { JoinedHosts } from './host-port.ts'
import type { SwitchDriver } from './switch-driver-port.ts'

/** A rack with hosts and switches. */
export interface RackInfo {
  id: string
  serial: string
}

/** Part, serial number and revision of a main board: they identify a host or a switch. */
export interface Baseboard {
  part: string
  serial: string
  revision: number
}

/** A network interface of a host. */
export interface HostLink {
  name: string
  /** bits per second; null while it is down */
  speed: number | null
  state: LinkState
}

/** The resources that a host uses at the moment of a report. */
export interface HostLoad {
  /** hardware threads that are busy, on average over the last minute */
  threads: number
  /** bytes */
  memory: number
  /** bytes on its disks for instances */
  storage: number
}

/** A host that runs instances. */
export interface SledInfo extends Baseboard {
  id: string
  rackId: string
  /** Its place in the rack, 0 at the bottom; null if that is not known. */
  cubby: number | null
  vendor: string
  model: string
  cpuModel: string
  /** The version of the process that has reported it; absent for the one inside of the server. */
  version?: string
  /** The CPU platform of its guests; `other` for a host that offers only what it has. */
  cpuFamily: CpuFamily
  /** How it runs machines. */
  accelerator: Accelerator
  /** The networks of its guests. */
  networkMode: NetworkMode
  /** The IP address at which it takes packets of VPCs from other hosts; absent if it takes none. */
  tunnelAddress?: string
  /** The blocks of external addresses that it leads to guests; absent if it cannot say. */
  external?: string[]
  /** hardware threads that instances may use */
  usableHardwareThreads: number
  /** bytes, whole machine */
  usablePhysicalRam: number
  /** bytes set aside for instances */
  reservoirSize: number
  /** Bytes for disks of instances in the folder that hosts share; absent if they are on the disks of the host. */
  sharedStorage?: number
  /** °C, of the air that it takes in */
  temperature: number | null
  links: HostLink[]
  load: HostLoad | null
}

/** A host that was seen in a rack and is not part of the system yet. */
export interface UninitializedSledInfo extends Baseboard {
  rackId: string
  cubby: number
}

/** A disk in a host. */
export interface DiskInfo {
  id: string
  sledId: string
  vendor: string
  model: string
  serial: string
  formFactor: FormFactor
  /** bytes */
  size: number
  /** Percent of the writes that it is rated for; may exceed 100. */
  wear: number | null
  /** °C */
  temperature: number | null
  health: DiskHealth
  /** Why it is not ok, for people. */
  healthReason: string | null
}

/** A switch of a rack. */
export interface SwitchInfo extends Baseboard {
  id: string
  rackId: string
  /** `switch0` or `switch1` */
  location: string
  vendor: string
  model: string
  /** °C */
  temperature: number | null
}

/** The module in a port. */
export interface Transceiver {
  vendor: string
  part: string
  serial: string
  /** °C */
  temperature: number | null
  /** volts */
  voltage: number | null
  /** milliwatts for each lane */
  received: number[]
  /** milliwatts for each lane */
  transmitted: number[]
}

/** A port of a switch that leads out of the rack. */
export interface PortInfo {
  id: string
  switchId: string
  name: string
  state: LinkState
  /** bits per second; null while it is down */
  speed: number | null
  transceiver: Transceiver | null
}

/** A part of the system that a release of software is installed on. */
export interface ComponentInfo {
  id: string
  /** For example `host_os`; artifacts of a release have the same kind. */
  kind: string
  /** The host or the switch that it is part of. */
  sledId: string | null
  switchId: string | null
  /** Null for the software of the factory, or one that is not known. */
  version: string | null
}

/** The host that has reported a sled or a switch: absent for the one inside of the server. */
interface OfHost {
  hostId?: string
}

/** Everything that answers now. What was reported earlier and is left out has vanished. */
export interface Hardware {
  /**
   * The hosts of which that is so, if it is not all of them: another server may see what this one does not. Null is the
   * host inside of the server.
   */
  concludesOn?: (hostId: string | null) => boolean
  racks: RackInfo[]
  sleds: (SledInfo & OfHost)[]
  uninitialized: UninitializedSledInfo[]
  disks: DiskInfo[]
  switches: (SwitchInfo & OfHost)[]
  ports: PortInfo[]
  components: ComponentInfo[]
  /** The joined hosts that answer, by id. */
  hosts?: readonly string[]
}

/** Nothing answers. */
export const noHardware: Hardware = {
  racks: [],
  sleds: [],
  uninitialized: [],
  disks: [],
  switches: [],
  ports: [],
  components: [],
}

/** A file for a support bundle. */
export interface DiagnosticFile {
  /** The serial number of the host or switch. */
  serial: string
  /** For example `log.txt`. */
  name: string
  /** Its bytes in pieces, which are made while they are read, once. */
  content: AsyncIterable<Uint8Array>
}

/** The part of a driver that knows the hardware. */
export interface HardwareDriver {
  /** Sets up the switches. */
  readonly switches: SwitchDriver
  /** Replaces the hosts that have joined. Absent where none can. */
  setJoined?(joined: JoinedHosts): void
  /** Reports everything that answers now. */
  hardware(): Promise<Hardware>
  /** Calls `onChange` when a report would differ in more than measured values. Returns a function that ends the calls. */
  watchHardware(onChange: () => void): () => void
  /**
   * Makes a host part of the system. Returns it, or null if no uninitialized host has this board. Repeating it returns
   * the same host.
   */
  addSled(board: Pick<Baseboard, 'part' | 'serial'>): Promise<SledInfo | null>
  /**
   * True for an uninitialized host that is part of the process, so that no other server sees it added. Undefined for a driver of
   * such hosts only.
   */
  isBoardInside?(board: Pick<Baseboard, 'part' | 'serial'>): Promise<boolean>
  /**
   * Installs a release on a component, which restarts with the host or switch that it is part of. Returns when the request
   * is accepted; later reports have the version. Repeating it does nothing. Throws SledUnreachable.
   */
  install(componentId: string, release: { version: string; hash: string }): Promise<void>
  /**
   * The files that hosts and switches add to a support bundle, such as logs and their state: never a secret, and nothing of
   * guests.
   * A file of one that does not answer throws SledUnreachable when it is read.
   */
  diagnostics(): AsyncIterable<DiagnosticFile>
  /** The host is no longer part of the system: if it answers again, it is uninitialized. */
  dropSled(sledId: string): Promise<void>
}
