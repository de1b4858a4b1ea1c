/**
 * The ports of the control plane. Core defines these interfaces and implements none of them; the server, the browser
 * preview and the tests do.
 */
import type { RandomAccess } from './file-ports.ts'

export * from './blobs-port.ts'
export * from './file-ports.ts'
export * from './hardware-port.ts'
export * from './host-port.ts'
export * from './image-ports.ts'
export * from './machine-port.ts'
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
export { arrive, enter, leave, type Packet } from './network/packet.ts'
export type {
  NetworkInterface,
  NetworkPeer,
  NetworkRule,
  SledNetwork,
  VmAddress,
} from './network/sled-network.ts'
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
