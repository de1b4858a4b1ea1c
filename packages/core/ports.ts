/**
 * What the control plane asks of the world. Core holds these interfaces and nothing that fulfils
 * them; the server, the browser preview and the tests bring their own.
 */
import type { Distribution } from './timeseries/model.ts'

export type { Distribution }

/** The wall clock. Tests own it. */
export interface Clock {
  now(): number
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, fn: () => void): () => void
}

/** Identifiers and randomness. */
export interface Ids {
  /** A new random UUID (RFC 9562, version 4), lower case. */
  uuid(): string
  /** `n` random bytes from a cryptographic source. */
  bytes(n: number): Uint8Array
}

/** Password hashing (Argon2id, PHC string format). */
export interface Passwords {
  hash(password: string): Promise<string>
  /** True if the password fits the hash. Never throws for a malformed hash: that is `false`. */
  verify(hash: string, password: string): Promise<boolean>
  /** SHA-256 of a secret with high entropy, hex: what is stored of a session token. */
  fingerprint(secret: string): string
}

/** Structured log. Callers never pass secrets. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** One block device of a machine. `slot` is its PCI position, 0 first. */
export interface VmDisk {
  id: string
  name: string
  size: number
  blockSize: number
  slot: number
}

/** One network interface of a machine. */
export interface VmNic {
  id: string
  mac: string
  ip: string
  primary: boolean
  transitIps: string[]
}

/** An address of the outside that leads to a machine, with the ports that are its own: all but for `snat`. */
export interface VmAddress {
  kind: 'floating' | 'ephemeral' | 'snat'
  ip: string
  firstPort: number
  lastPort: number
}

/**
 * Everything a sled needs to run one machine. `boot` grows by one for every boot the control plane
 * wants (a new start): a driver that holds an older boot of the same machine replaces it.
 * `reset` grows by one for every hard reset wanted within a boot.
 */
export interface VmSpec {
  sledId: string
  boot: number
  reset: number
  name: string
  hostname: string
  ncpus: number
  /** The processors that the guest shall see; the oldest common ones unless its owner asked for others. */
  cpuPlatform: 'amd_milan' | 'amd_turin'
  /** bytes */
  memory: number
  bootDiskId: string | null
  disks: VmDisk[]
  nics: VmNic[]
  /** Those at the start; while it runs they change by `setExternalIps`. */
  externalIps: VmAddress[]
  userData: Uint8Array
  sshPublicKeys: string[]
}

export type VmState = 'starting' | 'running' | 'rebooting' | 'stopping' | 'stopped' | 'failed'

/**
 * What a driver says of one machine. `boot` and `reset` echo the spec it speaks of, so that late
 * reports of an older boot can be dropped. `seq` grows with every report of the same boot.
 */
export interface VmStatus {
  id: string
  sledId: string
  boot: number
  reset: number
  seq: number
  state: VmState
  /** Why it failed, in words for the owner of the machine. Only with `failed`. */
  reason?: string
  /** True if a stop was begun inside the guest. Only with `stopped`. */
  guestShutdown?: boolean
}

/** One machine of the rack that runs instances. */
export interface SledInfo {
  id: string
  serial: string
  part: string
  revision: number
  cpuFamily: 'amd_milan' | 'amd_turin' | 'amd_turin_dense'
  /** hardware threads that instances may use */
  usableHardwareThreads: number
  /** bytes, whole machine */
  usablePhysicalRam: number
  /** bytes set aside for instances */
  reservoirSize: number
  rackId: string
}

/** One thing that is measured: the machine itself, one of its disks, or one of its network interfaces. */
export type MeasuredKind = 'virtual_machine' | 'virtual_disk' | 'instance_network_interface'

/** What was measured of one thing, at each of `times` (ms since 1970, oldest first). */
export interface Measures {
  kind: MeasuredKind
  /** of the machine, the disk or the interface */
  id: string
  times: number[]
  /** One value per time: the total since the machine's `start`. */
  series: { metric: string; labels: Record<string, string | number>; values: number[] | Distribution[] }[]
}

/** What was measured of one boot of a machine. */
export interface VmSamples {
  id: string
  boot: number
  /** When its counters began, in ms since 1970: later than anything measured of its boots before. */
  start: number
  measures: Measures[]
}

/** Samples of a sled up to `until`. None of that time will be added later. */
export interface SampleBatch {
  until: number
  machines: VmSamples[]
  /** There are newer ones already. */
  more: boolean
}

/** A window of serial console output. `end` is the absolute offset just past `data`. */
export interface ConsoleChunk {
  data: Uint8Array
  end: number
}

/** A live serial console. Bytes both ways, raw terminal data. */
export interface ConsoleStream {
  write(data: Uint8Array): void
  close(): void
}

export interface ConsoleListener {
  data(bytes: Uint8Array): void
  /** The machine stopped, or the stream broke; `reason` is for people. */
  closed(reason: string): void
}

/** The sled did not answer. It is no evidence about the machine. */
export class SledUnreachable extends Error {
  override name = 'SledUnreachable'
}

/**
 * Runs machines. All calls are idempotent: asking twice is asking once. A driver never decides what
 * should run; it makes what it is told and reports what it sees.
 */
export interface SledDriver {
  /** The machines of the rack. */
  sleds(): Promise<SledInfo[]>
  /**
   * Makes the machine exist and run as `spec` says. Returns when the wish is accepted; progress
   * arrives through `watch`. Throws SledUnreachable if the sled does not answer.
   */
  ensure(id: string, spec: VmSpec): Promise<void>
  /**
   * Pulls the plug: the machine ends `stopped` and is then forgotten. Unknown ids are already gone
   * and answer at once; a newer boot than the one named stays. Throws SledUnreachable.
   */
  remove(id: string, sledId: string, boot: number): Promise<void>
  /**
   * Replaces the external addresses of a machine, whatever it is doing. Unknown ids and other boots
   * are left alone. Throws SledUnreachable.
   */
  setExternalIps(
    at: { id: string; sledId: string; boot: number },
    addresses: readonly VmAddress[],
  ): Promise<void>
  /** What the sled holds under this id; null means "no such machine". Throws SledUnreachable. */
  inspect(id: string, sledId: string): Promise<VmStatus | null>
  /**
   * What the sled measured after `since` (null: ever), oldest first and a bounded number. A sled holds
   * what it measured for an hour, of machines that have ended too. Asking the same again gets the same.
   * vCPUs are measured every 5 s, disks and interfaces every 10 s. Throws SledUnreachable.
   */
  samples(sledId: string, since: number | null): Promise<SampleBatch>
  /** Calls back on every change of any machine. Returns the function that ends it. */
  watch(onChange: (status: VmStatus) => void): () => void
  /**
   * Reads retained console output of the current boot: the first and the latest 1 MiB are kept.
   * Give exactly one of `from` (absolute offset) and `last` (bytes). Null: no such machine;
   * 'dropped': the offset lies in the dropped middle.
   */
  readConsole(
    id: string,
    sledId: string,
    range: { from: number; max: number } | { last: number; max: number },
  ): Promise<ConsoleChunk | null | 'dropped'>
  /** Opens the live console after replaying the last `history` bytes. Null: no such machine. */
  openConsole(
    at: { id: string; sledId: string },
    history: number,
    to: ConsoleListener,
  ): Promise<ConsoleStream | null>
}

/** The storage is full. What was written before stays as it is. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/**
 * Bytes of disks, in layers. A layer holds the ranges that were written to it and says nothing of the
 * rest. A chain of layers, newest first, reads as one volume: each byte comes from the first layer that
 * holds it, and is zero if none does. Only the first layer of a chain is ever written, and none that
 * lies beneath another. Which layers there should be is the database's business: here one begins with
 * its first write. All calls are idempotent.
 */
export interface Blobs {
  /** Writes into the first layer. Zeros where the chain holds nothing take no room. Throws StorageFull. */
  write(chain: readonly string[], offset: number, bytes: Uint8Array): Promise<void>
  read(chain: readonly string[], offset: number, length: number): Promise<Uint8Array>
  /** Returns when everything written to the layer so far outlives a loss of power. Throws StorageFull. */
  flush(layer: string): Promise<void>
  /** Forgets a layer and frees its room. One that does not exist is already gone. */
  remove(layer: string): Promise<void>
  /** Every layer that takes room here. */
  list(): Promise<string[]>
  /** Room that a layer takes, in bytes. */
  used(layer: string): Promise<number>
}

/** A SHA-256 (FIPS 180-4) under way. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  /** lower-case hex; ends it */
  hex(): string
}
