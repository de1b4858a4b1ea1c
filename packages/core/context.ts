/** What a handler is given, and the types of handlers. */
import type { Operations } from '@purlin/contract/operations'
import type { OpShape, Parsed, Result } from '@purlin/contract/op'
import type { Actor } from './access.ts'
import type { Engine } from './db/engine.ts'
import type { Tx } from './db/tables.ts'
import type { Blobs, Clock, Ids, Log, Passwords, Sha256, SledDriver } from './ports.ts'

/** The world as core sees it. */
export interface World {
  engine: Engine
  clock: Clock
  ids: Ids
  passwords: Passwords
  sleds: SledDriver
  blobs: Blobs
  sha256: () => Sha256
  log: Log
  /** Idle and absolute lifetime of a session, ms. */
  sessions: { idleMs: number; absoluteMs: number }
  /** How often samples are collected and their store is tidied, ms; 30 s and 10 minutes unless given. */
  samples?: { collectMs: number; upkeepMs: number }
}

/** Work that a loop should look at soon. */
export type LoopName = 'instances' | 'layers' | 'digests' | 'samples'

interface Common {
  readonly world: World
  readonly op: OpShape
  readonly requestId: string
  /** ms since 1970, one value for the whole request */
  readonly now: number
  /** The query as sent, for page tokens. */
  readonly search: URLSearchParamsLike
}
/** The part of URLSearchParams that core reads. */
export interface URLSearchParamsLike {
  getAll(name: string): string[]
  has(name: string): boolean
}

/** Context of a handler: inside one transaction, with a signed-in actor. */
export interface Ctx extends Common {
  readonly tx: Tx
  readonly actor: Actor
  /** Wakes a loop after the commit. */
  wake(loop: LoopName): void
  /** Set by whoever has checked the operation's `allow`. Unchecked work is never committed. */
  checked: boolean
}

/** Context of the few handlers that work outside a transaction: sign-in, sign-out, serial console. */
export interface FreeCtx extends Common {
  /** Null without a valid session; only operations that allow `public` see that. */
  readonly actor: Actor | null
  readonly sessionToken: string | null
  /** Address of the client, for limits. */
  readonly remote: string
  readonly secure: boolean
  /** Runs a checked piece of work in a transaction. */
  within<T>(mode: 'read' | 'write', work: (ctx: Ctx) => Promise<T>): Promise<T>
  setHeader(name: string, value: string): void
}

export type Handler<O extends OpShape> = (ctx: Ctx, input: Parsed<O>) => Promise<Result<O>>
/** A handler outside a transaction. */
export interface FreeHandler<O extends OpShape> {
  free: (ctx: FreeCtx, input: Parsed<O>) => Promise<Result<O>>
}

/** A handler for every operation: one that is missing does not compile. */
export type Handlers = { [K in keyof Operations]: Handler<Operations[K]> | FreeHandler<Operations[K]> }
/** What one family's file exports. */
export type Family<K extends keyof Operations> = {
  [P in K]: Handler<Operations[P]> | FreeHandler<Operations[P]>
}
