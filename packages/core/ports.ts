/**
 * The ports of the control plane. Core defines these interfaces and implements none of them; the server, the browser
 * preview and the tests do.
 */
import type { RandomAccess } from './file-ports.ts'
import type { HardwareDriver } from './hardware-port.ts'
import type { SledNetwork } from './network/sled-network.ts'

export * from './file-ports.ts'
export * from './hardware-port.ts'
export * from './image-ports.ts'
export * from './oidc-port.ts'
export * from './saml-port.ts'
export * from './second-factor-port.ts'
export * from './switch-driver-port.ts'
export * from './sender-ports.ts'
export * from './loop-meter.ts'
export * from './tracer.ts'

export {
  Contention,
  DatabaseUnavailable,
  DatabaseUnusable,
  isOutage,
  missedMessages,
  OutcomeUnknown,
  StorageFull,
  UniqueViolation,
  type Engine,
  type TransactionMode,
  type TransactionWork,
} from './db/engine.ts'
export { createPipeline } from './db/pipelined.ts'
export type { TableName, Tables, Tx } from './db/tables.ts'
// Tools that core and its adapters share.
export { createFairQueue, type FairQueue } from './concurrency/fair-queue.ts'
export { yieldToEventLoop } from './concurrency/checkpoints.ts'
export { createKeyedLock, createLock, createMutex, type Locked } from './concurrency/locks.ts'
export { arrive, leave, type Packet } from './network/packet.ts'
export type { NetworkInterface, NetworkRule, SledNetwork, VmAddress } from './network/sled-network.ts'
export { createKeyedSemaphore } from './concurrency/semaphores.ts'

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

/** Password hashing (Argon2id, PHC string format). `hash` and `verify` throw 503 while too much of it is waiting. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * True if the password fits the hash. Never throws for a malformed hash: that is `false`. With `first`, it is
   * verified before others that wait. Verifications for one `client` at a time are few, so that others get their turn.
   */
  verify(hash: string, password: string, how?: { first?: boolean; client?: string }): Promise<boolean>
  /** True if the hash was made with other parameters than new ones are. */
  isOutdated(hash: string): boolean
  /** Common passwords, in lower case. No user gets a new one of them. */
  common(): Promise<ReadonlySet<string>>
  /** SHA-256 of a secret with high entropy, hex: the stored form of a session token. */
  fingerprint(secret: string): string
  /** HMAC-SHA256 (RFC 2104) of a text, hex. */
  sign(key: string, text: string): string
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

/**
 * The specification of a machine. `boot` increases by one with every start that the control plane requests: a
 * driver replaces an older boot of the same machine. `reset` increases by one with every hard reset within a boot.
 */
export interface VmSpec {
  sledId: string
  boot: number
  reset: number
  name: string
  hostname: string
  ncpus: number
  /** The CPU features that the guest sees; by default those of the oldest platform. */
  cpuPlatform: 'amd_milan' | 'amd_turin'
  /** bytes */
  memory: number
  bootDiskId: string | null
  disks: VmDisk[]
  /** Its network interfaces in the order of their slots. Their definitions are in the network: see `setNetwork`. */
  nicIds: string[]
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
  state: VmState
  /** Why it failed, in a text for the owner of the machine. Only with `failed`. */
  reason?: string
  /** True if the guest shut itself down. Only with `stopped`. */
  guestShutdown?: boolean
  /** The latest migration away from this sled, if it failed and the machine stayed: its id, and why, for people. */
  failedMigration?: { id: string; reason: string }
}

/** Moves a running machine to another sled. */
export interface VmMigration {
  /** Each attempt has another one. */
  id: string
  to: string
  /** The machine as it is: of the sled that it leaves. */
  spec: VmSpec
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
  /** When its counters began, in ms since 1970: later than all samples of the boots before. */
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

/** The sled did not respond. This implies nothing about the state of its machines. */
export class SledUnreachable extends Error {
  override name = 'SledUnreachable'
}

/**
 * Runs machines. All calls are idempotent. A driver does not decide what should run: it does what the control
 * plane requests and reports the state of its machines.
 */
export interface SledDriver extends HardwareDriver {
  /**
   * Makes the machine exist and run as `spec` says. Returns when the request is accepted; progress
   * arrives through `watch`. Throws SledUnreachable if the sled does not answer.
   */
  ensure(id: string, spec: VmSpec): Promise<void>
  /**
   * Powers the machine off without a shutdown; it ends `stopped` and is then unknown. Does nothing for unknown ids
   * and for a newer boot than the given one. Throws SledUnreachable.
   */
  remove(id: string, sledId: string, boot: number): Promise<void>
  /**
   * Moves a machine to another sled while it runs. Returns when the request is accepted. At the end the other sled
   * reports it as running, and this one has no such machine; or this one reports `failedMigration`, and the other has
   * none. At no time do both run it. Does nothing if this sled does not run this boot, or knows this migration already.
   * Throws SledUnreachable if this sled does not answer.
   */
  migrate(id: string, migration: VmMigration): Promise<void>
  /**
   * Makes a sled enforce the network of a VPC for exactly the interfaces in it, whether their machines run or not. A
   * machine may start before its network arrives; until then its interfaces carry no traffic. An interface of a probe
   * is all that there is of the probe: the sled has a small zone at it, which answers pings, while the network has it.
   * Does nothing if the sled has this version or a newer one. Throws SledUnreachable.
   */
  setNetwork(sledId: string, network: SledNetwork): Promise<void>
  /** The networks with interfaces that a sled enforces, by VPC: a sled that lost power has none. Throws SledUnreachable. */
  networks(sledId: string): Promise<{ vpcId: string; version: number }[]>
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
  /** Opens the live console after replaying the last `history` bytes. Null: no such machine. */
  openConsole(
    at: { id: string; sledId: string },
    history: number,
    to: ConsoleListener,
  ): Promise<ConsoleStream | null>
}

/** A layer as the database knows it. */
export interface Layer {
  id: string
  /**
   * True if it was written: then its bytes must exist. False if that is not known: a layer without bytes is then
   * empty.
   */
  hasBytes: boolean
}

/** Bytes that a layer had are not there. They never read as zeros. */
export class BytesMissing extends Error {
  override name = 'BytesMissing'
  readonly layers: readonly string[]
  constructor(layers: readonly string[]) {
    super('the bytes are missing from the data folder')
    this.layers = layers
  }
}

/**
 * Bytes of disks, in layers. A layer has the ranges that were written to it. A chain of layers, newest first, reads
 * as one volume: each byte comes from the first layer that has it, and is zero if none does. Only the first layer of
 * a chain is ever written, and never a layer that has another one above it. The database decides which layers exist:
 * here a layer begins with its first write. All calls are idempotent.
 */
export interface Blobs {
  /** Why the bytes cannot be reached from here, for people; then no other method may be called. */
  readonly unreachable?: string
  /** Why bytes can only be read here, for people; then no method that writes or removes may be called. */
  readonly readOnly?: string
  /**
   * Writes into the first layer. Zeros where the chain has no data take no space. Throws StorageFull, BytesMissing.
   */
  write(chain: readonly Layer[], offset: number, bytes: Uint8Array): Promise<void>
  /** Throws BytesMissing. */
  read(chain: readonly Layer[], offset: number, length: number): Promise<Uint8Array>
  /** The layers whose bytes should exist and do not. */
  missing(chain: readonly Layer[]): Promise<string[]>
  /** Returns when everything written to the layer so far outlives a loss of power. Throws StorageFull. */
  flush(layer: string): Promise<void>
  /** Forgets a layer and frees its room. One that does not exist is already gone. */
  remove(layer: string): Promise<void>
  /** Forgets a layer but keeps its bytes for an operator, under the day of `now` (ms since 1970). */
  putAside(layer: string, now: number): Promise<void>
  /** Deletes the files that were put aside on days before that of `until` (ms since 1970). */
  dropAside(until: number): Promise<void>
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

/** Software or firmware for a kind of component, as the repository of a release names it. */
export interface Artifact {
  name: string
  version: string
  kind: string
  /** SHA-256, lower-case hex */
  hash: string
  /** bytes */
  size: number
}

/** A root document that an operator trusts. */
export interface TrustRoot {
  id: string
  /** JSON */
  document: string
}

/** Metadata of a repository that was verified before, which newer ones must not be older than. */
export interface KnownMetadata {
  /** The trust root that it was verified with, and the version of the last root document of its chain. */
  trustRootId: string
  rootVersion: number
  /** JSON */
  timestamp: string
  /** JSON */
  snapshot: string
}

export interface VerifiedRepository extends KnownMetadata {
  systemVersion: string
  artifacts: Artifact[]
}

/** A root document or a repository that is refused. The message is the reason, for people. */
export class RepositoryRefused extends Error {
  override name = 'RepositoryRefused'
}

/** Verifies repositories of The Update Framework (TUF). */
export interface RepositoryVerifier {
  /** Throws RepositoryRefused unless a root document is signed by its own keys. */
  checkRoot(document: string): Promise<void>
  /**
   * Verifies the metadata, signatures and files of a repository in a zip file with one of the roots, at a time in ms
   * since 1970. Throws RepositoryRefused.
   */
  verify(
    zip: RandomAccess,
    trust: {
      roots: readonly TrustRoot[]
      now: number
      known: KnownMetadata | undefined
      sha256: () => Sha256
    },
  ): Promise<VerifiedRepository>
}
