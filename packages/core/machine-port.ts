/** The machines of instances, and the sleds that run them. */
import type { Layer } from './blobs-port.ts'
import type { HardwareDriver } from './hardware-port.ts'
import type { SledNetwork } from './network/sled-network.ts'

/** One block device of a machine. `slot` is its PCI position, 0 first. */
export interface VmDisk {
  id: string
  name: string
  size: number
  blockSize: number
  slot: number
  /**
   * Its bytes, newest first: see `Blobs`. The guest writes only to the first one. A driver that keeps bytes gets at least one;
   * for others a disk without bytes has none.
   */
  layers: readonly Layer[]
}

/** A network interface of a machine. Its definition is in the network: see `setNetwork`. */
export interface VmNic {
  id: string
  /** Upper-case hex with colons. */
  mac: string
  /** its PCI position, 0 first */
  slot: number
  /** True if it has an address of IPv6 instead of IPv4. */
  isIpv6?: boolean
}

/**
 * The specification of a machine. `boot` increases by one with every start that the control plane requests: a
 * driver replaces an older boot of the same machine. `reset` increases by one with every hard reset within a boot, and
 * `storage` with every change of the layers or sizes of its disks: see `setLayers`.
 */
export interface VmSpec {
  sledId: string
  boot: number
  reset: number
  storage: number
  name: string
  hostname: string
  ncpus: number
  /** The hardware that the guest had in its boot before, by the driver's name for it. A driver that has it gives the guest the same. */
  machineType?: string
  /** The CPU features that the guest sees; `host`: all that the host has. */
  cpuPlatform: 'amd_milan' | 'amd_turin' | 'host'
  /** bytes */
  memory: number
  bootDiskId: string | null
  disks: VmDisk[]
  /** In the order of their slots. */
  nics: VmNic[]
  userData: Uint8Array
  sshPublicKeys: string[]
}

export type VmState = 'starting' | 'running' | 'rebooting' | 'stopping' | 'stopped' | 'failed'

/**
 * A report on a machine. `boot` and `reset` are those of its spec, so that late reports of an older boot can be
 * dropped. `seq` increases with every report of the same boot.
 */
export interface VmStatus {
  id: string
  sledId: string
  boot: number
  reset: number
  seq: number
  /** The `storage` of the layers that the machine writes to. */
  storage: number
  /** The hardware of this boot, for the next one: see `VmSpec`. */
  machineType?: string
  state: VmState
  /** Why it failed, in a text for the owner of the machine. Only with `failed`. */
  reason?: string
  /** True if the guest shut itself down. Only with `stopped`. */
  guestShutdown?: boolean
  /** The latest migration away from this sled, if it failed and the machine stayed: its id, and why, for people. */
  failedMigration?: { id: string; reason: string }
}

/** A machine that a sled has. */
export type VmPresence = Pick<VmStatus, 'id' | 'boot' | 'state'>

/** New top layers for all disks of a machine, and their sizes. A disk keeps its size unless a larger one is given. */
export interface VmLayers {
  boot: number
  storage: number
  disks: (Pick<VmDisk, 'id' | 'layers'> & Partial<Pick<VmDisk, 'size'>>)[]
}

/** Where a host waits for a machine of another one, and the secret by which the two know each other. */
export interface VmWay {
  address: string
  port: number
  secret: string
}

/** Moves a running machine to another sled. */
export interface VmMigration {
  /** Each attempt has another one. */
  id: string
  to: string
  /** Of the sled that it leaves. The machine keeps the layers that it writes to, even if these are newer. */
  spec: VmSpec
  /** Where the other sled waits for it, if that is on another host that answers: see `receive`. */
  at?: VmWay
}

/** A measured object: the machine itself, one of its disks, or one of its network interfaces. */
export type MeasuredKind = 'virtual_machine' | 'virtual_disk' | 'instance_network_interface'

/** A distribution as producers count it. `edges[i]` is the lower bound of bin i; the last bin has no upper bound. */
export interface Distribution {
  edges: readonly number[]
  counts: readonly number[]
  min: number
  max: number
  sum: number
  /** sum of the squared distances from the mean */
  squaredMean: number
}

/** The samples of a measured object at `times` (ms since 1970, oldest first). */
export interface Measures {
  kind: MeasuredKind
  /** of the machine, the disk or the interface */
  id: string
  times: number[]
  /** One value per time: the total since the machine's `start`. */
  series: { metric: string; labels: Record<string, string | number>; values: number[] | Distribution[] }[]
}

/** The samples of one boot of a machine. */
export interface VmSamples {
  id: string
  boot: number
  /**
   * When its counters began, in ms since 1970: later than all samples of the boots before, and of the sled that it has left,
   * as far as the clocks of both agree.
   */
  start: number
  measures: Measures[]
}

/** Samples of a sled up to `until`. No samples of that time are added later. */
export interface SampleBatch {
  until: number
  machines: VmSamples[]
  /** True if newer samples are available already. */
  more: boolean
}

/** A chunk of serial console output. `end` is the absolute offset just past `data`. */
export interface ConsoleChunk {
  data: Uint8Array
  end: number
}

/**
 * Where a live serial console begins: a number of bytes before the end, or an offset. One in the dropped middle moves to the latest
 * part.
 */
export type ConsoleStart = { last: number } | { from: number }

/** A live serial console. Bytes both ways, raw terminal data. */
export interface ConsoleStream {
  write(data: Uint8Array): void
  close(): void
}

/** A live display: what it and its client say to each other in RFB (RFC 6143), byte by byte. */
export interface DisplayStream extends ConsoleStream {
  /** Holds output back, and with it the display, or lets it go on. */
  setPaused(isPaused: boolean): void
}

export interface ConsoleListener {
  data(bytes: Uint8Array): void
  /**
   * The machine stopped or has left the sled, or the stream broke; `reason` is for people. `end` is the offset after the last byte of a
   * serial console, unless that is not known.
   */
  closed(reason: string, end?: number): void
}

/** The sled did not respond. This implies nothing about the state of its machines. */
export class SledUnreachable extends Error {
  override name = 'SledUnreachable'
}

/** Another server drives the sled now, or did so before the database was restored from a backup. */
export class DrivenElsewhere extends SledUnreachable {
  override name = 'DrivenElsewhere'
  /** The newest epoch that the sled knows; undefined if it does not say. */
  readonly epoch: number | undefined

  constructor(message: string, epoch?: number) {
    super(message)
    this.epoch = epoch
  }
}

/** The newest holder of each sled, as its host knows it. */
export interface HolderEpochs {
  /** Notes an epoch; 0 is that of a caller that has announced none. Throws DrivenElsewhere if a newer one is known. */
  require(sledId: string, epoch: number): void
}

/**
 * The epochs that are `known` from before: until one is announced, every caller is obeyed. A newer one is kept before the call that
 * brings it is obeyed.
 */
export function createHolderEpochs(
  known: Iterable<readonly [sledId: string, epoch: number]> = [],
  keep: (newest: ReadonlyMap<string, number>) => void = () => undefined,
): HolderEpochs {
  const newest = new Map(known)
  return {
    require(sledId, epoch) {
      const before = newest.get(sledId) ?? 0
      if (epoch < before) throw new DrivenElsewhere(`another server drives sled ${sledId}`, before)
      if (epoch === before) return
      newest.set(sledId, epoch)
      keep(newest)
    },
  }
}

/**
 * Runs machines. All calls are idempotent. A driver does not decide what should run: it does what the control
 * plane requests and reports the state of its machines.
 */
export interface SledDriver extends HardwareDriver {
  /**
   * True if guests on a sled write to the layers of their disks, in the same place as `Blobs`. From the first report of a boot that is
   * not a failure, and once `setLayers` has resolved, the layers that the guest writes to have bytes.
   */
  keepsBytes(sledId: string): boolean
  /** The sleds that this server can drive, by id: also those that do not answer now. */
  hosts(): Promise<readonly string[]>
  /** True for a sled that is part of the process, so that no other server reaches it. Undefined for a driver of such sleds only. */
  isInside?(sledId: string): boolean
  /** False for a sled whose host does not answer this server now. Undefined for a driver of sleds inside of the process only. */
  answers?(sledId: string): boolean
  /**
   * Announces that this server drives the sled, in an epoch that is higher for every new holder. Its later calls belong to
   * that epoch, and the sled refuses the changes that calls of an older one ask for. Throws DrivenElsewhere, with
   * the epoch that it knows, for an older one than that, and SledUnreachable.
   */
  hold(sledId: string, epoch: number): Promise<void>
  /**
   * Makes the machine exist and run as `spec` says. Returns when the request is accepted; progress
   * arrives through `watch`. Throws SledUnreachable if the sled does not answer.
   */
  ensure(id: string, spec: VmSpec): Promise<void>
  /**
   * Powers the machine off without a shutdown, also while its guest shuts down; it ends `stopped` and is then unknown.
   * Does nothing for unknown ids and for a newer boot than the given one. Throws SledUnreachable.
   */
  remove(id: string, sledId: string, boot: number): Promise<void>
  /**
   * Presses the power button (ACPI). If the guest obeys, the machine ends `stopped` with `guestShutdown` and stays known until
   * it is removed. A machine whose guest has not begun is powered off. Repeating it does no harm: a guest that was booting may
   * not have noticed. Does nothing for unknown ids, another boot, and a machine that has ended. Throws SledUnreachable.
   */
  shutDown(id: string, sledId: string, boot: number): Promise<void>
  /**
   * Switches all disks of a machine to new top layers, at one moment in the order of its writes: all before are in the layers
   * beneath. A disk that has the same top layer keeps it. Then the guest gets the sizes; room that is new has zeros. Resolves when the
   * guest writes to the new layers only and has the sizes; a report has the new `storage`. Does nothing for unknown
   * ids, another boot, the same or an older `storage`, and a machine that has ended or is on its way to another sled. Throws SledUnreachable.
   */
  setLayers(id: string, sledId: string, to: VmLayers): Promise<void>
  /**
   * Moves a machine to another sled while it runs. Returns when the request is accepted. At the end the other sled
   * reports it as running, and this one has no such machine; or this one reports `failedMigration`, and the other has
   * none. At no time do both run it. Its consoles end once it has arrived, and its output goes on at the other sled with the next
   * offset. Does nothing if this sled does not run this boot, or knows this migration already.
   * Throws SledUnreachable if this sled does not answer.
   */
  migrate(id: string, migration: VmMigration): Promise<void>
  /**
   * Waits for a machine that another host sends: for some minutes after the last call, which answers the same. Until then the
   * sled has no such machine. It needs no epoch: the holder of the sled that the machine leaves decides whether it is sent.
   * Undefined if the sleds of this driver take no machines of others. Throws SledUnreachable.
   */
  receive?(id: string, migration: VmMigration): Promise<VmWay>
  /**
   * Makes a sled enforce the network of a VPC for exactly the interfaces in it, whether their machines run or not. A
   * machine may start before its network arrives; until then its interfaces carry no traffic. An interface of a probe
   * is all that there is of the probe: the sled has a small zone at it, which answers pings, while the network has it.
   * Does nothing if the sled has this version. It takes a lower one as well: the database may have been restored from a backup.
   * Throws SledUnreachable.
   */
  setNetwork(sledId: string, network: SledNetwork): Promise<void>
  /** The networks with interfaces that a sled enforces, by VPC: a sled that lost power has none. Throws SledUnreachable. */
  networks(sledId: string): Promise<{ vpcId: string; version: number }[]>
  /** Every machine that the sled has, also those that have ended and were not removed. Throws SledUnreachable. */
  machines(sledId: string): Promise<VmPresence[]>
  /** The status of a machine; null if the sled has no such machine. Throws SledUnreachable. */
  inspect(id: string, sledId: string): Promise<VmStatus | null>
  /**
   * Samples after `since` (null: all), oldest first and a limited number. A sled keeps samples for an hour, also
   * those of machines that have ended. The same request returns the same samples. vCPUs are measured every 5 s,
   * disks and interfaces every 10 s. Throws SledUnreachable.
   */
  samples(sledId: string, since: number | null): Promise<SampleBatch>
  /** Calls `onChange` with every change of any machine. Returns a function that ends the calls. */
  watch(onChange: (status: VmStatus) => void): () => void
  /**
   * Reads retained console output of the current boot: the first and the latest 1 MiB are kept. Give exactly one of
   * `from` (absolute offset) and `last` (bytes). Null: no such machine; 'dropped': the offset is in the dropped
   * middle.
   */
  readConsole(
    id: string,
    sledId: string,
    range: { from: number; max: number } | { last: number; max: number },
  ): Promise<ConsoleChunk | null | 'dropped'>
  /** Opens the live console, which gives the output from `start` on. Null: no such machine. */
  openConsole(
    at: { id: string; sledId: string },
    start: ConsoleStart,
    to: ConsoleListener,
  ): Promise<ConsoleStream | null>
  /**
   * Opens the display, for one more client. A machine without one closes it before the first byte, and says why. Null: no such
   * machine.
   */
  openDisplay(at: { id: string; sledId: string }, to: ConsoleListener): Promise<DisplayStream | null>
}
