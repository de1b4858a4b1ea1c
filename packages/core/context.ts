/** The arguments of handlers, and their types. */
import type { Operations } from '@purlin/contract/operations'
import type { AbortSignalLike, ApiRequest, ApiResponse } from '@purlin/contract/http'
import type { OpShape, Parsed, Result } from '@purlin/contract/op'
import type { Counts } from '@purlin/contract/rules/counts'
import type { Role } from '@purlin/contract/rules/roles'
import type { Certificates } from '@purlin/contract/rules/credentials/certificate-checks'
import type { Begun, Engine } from './db/engine.ts'
import type { URLSearchParamsLike } from './query-string.ts'
import type { AuthMethod, SnatBlockTable, TableName, Tx } from './db/tables.ts'
import type {
  Blobs,
  Clock,
  FairQueue,
  Ids,
  Log,
  LoopMeter,
  Tracer,
  MadeFile,
  MailSender,
  Oidc,
  Passwords,
  RepositoryVerifier,
  Saml,
  SecondFactors,
  Sha256,
  SledDriver,
  StoredFiles,
  ImageUnpacker,
  Downloads,
  FleetAuthority,
  WebhookSender,
  Zips,
} from './ports.ts'

/** The world as core sees it. */
export interface World {
  engine: Engine
  clock: Clock
  ids: Ids
  passwords: Passwords
  sleds: SledDriver
  blobs: Blobs
  sha256: () => Sha256
  /** Stores and verifies system updates. Absent where there are none. */
  updates?: { files: StoredFiles; verifier: RepositoryVerifier }
  /** Stores support bundles, and adds what only this server knows. Absent where there are none. */
  bundles?: { files: StoredFiles; zips: Zips; ofServer?: () => AsyncIterable<MadeFile> }
  /** Stores, fetches and unpacks files of images; or the reason why this platform cannot, for people. */
  imageImports?: { files: StoredFiles; downloads: Downloads; unpacker: ImageUnpacker } | string
  /** Absent where no backups are scheduled. */
  backups?: {
    everyMs: number
    /** For operators; it has no secret. */
    folder: string
    /** The number of backups to keep. */
    keep: number
    /** The latest whole ones, the newest first; the size, in bytes, is null for one that is damaged. */
    list(most: number): Promise<{ id: string; timeMade: number; size: number | null }[]>
    /** Makes one; undefined if another one is under way. Throws an error whose message is for the operator. */
    make(isStopped: () => boolean): Promise<{ id: string; bytes: number; newBytes: number } | undefined>
  }
  /** Absent where none can be sent. */
  webhooks?: WebhookSender
  /** Absent where no settings of SMTP are given. `alertsUrl` is the console's address of all alerts, if it is known. */
  mail?: { sender: MailSender; alertsUrl?: string }
  /** Reads metadata and answers of identity providers; or the reason why this platform cannot, for people. */
  saml?: Saml | string
  /** Speaks OpenID Connect with identity providers; or the reason why this platform cannot, for people. */
  oidc?: Oidc | string
  /** Makes and verifies second factors. Absent where there are none. */
  secondFactors?: SecondFactors
  /** Signs the certificates of hosts that join. Absent where none can. */
  fleetAuthority?: FleetAuthority
  /** Reads certificates; or the reason why this platform cannot, for people. */
  certificates?: Certificates | string
  /** The domain with the host names of silos. */
  zone?: string
  /** The limit of each kind; the defaults of the contract unless given. */
  counts?: Counts
  /** Users and groups that a silo may have; those of the contract unless given. */
  directory?: { users: number; groups: number }
  /** While it is full, rows are written only by what frees room. Absent where room is not known. */
  storage?: { isFull(): boolean }
  log: Log
  /** Absent where nothing is monitored. */
  meter?: LoopMeter
  /** Absent where no traces are recorded. */
  tracer?: Tracer
  /** True if some hosts are part of this process, so that no other server reaches them. */
  hasHostsInside?: boolean
  /** Where other servers may write: how often to look for work that they have left, ms. */
  lookMs?: number
  /** Days for which entries of the audit log are kept; two years unless given. */
  auditDays?: number
  /** Records nothing: for measuring the cost of records. */
  isUnrecorded?: boolean
  /** Idle and absolute lifetime of a session, ms. */
  sessions: { idleMs: number; absoluteMs: number }
  /** Where many clients share the process: when each may be served. */
  fairQueue?: FairQueue
  /** How often samples are collected and their store is tidied, ms; 30 s and 10 minutes unless given. */
  samples?: { collectMs: number; upkeepMs: number }
}

/** Work that a loop should look at soon. */
export type LoopName =
  | 'audit'
  | 'instances'
  | 'layers'
  | 'policies'
  | 'digests'
  | 'samples'
  | 'networks'
  | 'tasks'
  | 'hardware'
  | 'attention'
  | 'updates'
  | 'allowList'
  | 'alerts'
  | 'bundles'
  | 'switches'
  | 'schedules'
  | 'imageImports'
  | 'backups'
  | 'hostLeases'
/**
 * A loop to wake; that of networks with the id of the changed object: a VPC, an instance, router or gateway in it, or
 * a silo.
 */
export type Waking = Exclude<LoopName, 'networks'> | `networks ${string}`

/** The limits of a credential: the rights of its user that it does not carry. */
export interface CredentialScope {
  /** The key of a service account: it makes no other credentials. */
  isKey: boolean
  isReadOnly: boolean
  /** The project outside of which it is worth nothing; null without such a limit. */
  projectId: string | null
}

/**
 * A signed-in user with every role that counts: direct, through groups, and conferred by the silo. A SCIM client is one
 * without roles, and the user is its silo.
 */
export interface Actor {
  userId: string
  siloId: string
  siloName: string
  displayName: string
  /** Of the session or access token that the request was sent with; empty for none. */
  sessionId: string
  /** The credential of the request, as the audit log names it. */
  authMethod: AuthMethod | null
  /** The limits of the credential, which the roles below respect; null for a session and for no credential. */
  scope: CredentialScope | null
  groupIds: readonly string[]
  siloRole: Role | null
  fleetRole: Role | null
  /** Roles granted on projects themselves, by project id. */
  projectRoles: ReadonlyMap<string, Role>
}

/** The common part of every context of a request. */
export interface Common {
  readonly world: World
  readonly op: OpShape
  readonly requestId: string
  /** The address that the request comes from; undefined where there are no connections. */
  readonly source: string | undefined
  /** Scheme and host under which the client knows the server. */
  readonly origin: string
  /** ms since 1970, one value for the whole request */
  readonly now: number
  /** The query as sent, for page tokens. */
  readonly search: URLSearchParamsLike
}

/** A field of an object that was changed. Without values, if entries do not show them. */
export interface FieldChange {
  field: string
  before?: string | null
  after?: string | null
}

/** One object, as an entry of the audit log has it. */
export interface Touched {
  type: string
  id: string
  /** Null if it has been made. */
  before: string | null
  /** Null if it has been deleted. */
  after: string | null
  /** True if it is in another one that is listed, and found with that. */
  isPart?: true
  /** The keys of tags that were added, changed or removed. */
  tagKeys?: string[]
  /** Whether it is protected from deletion, if that has changed. */
  isProtected?: boolean
  /** The fields that were changed, of those that the contract declares. */
  changes?: FieldChange[]
}
export interface Touches {
  objects: Map<string, Touched>
  /** The project and the silo that the request is about. */
  projectId: string | null
  siloId: string | null
  /** The VPCs that something touched is in. */
  vpcIds: Set<string>
}

/**
 * The state of one attempt of a transaction, in addition to its statements. A repeated attempt begins with a new one.
 */
export interface UnitOfWork {
  /**
   * False if the work has failed because a value was not unique, and runs again. The first attempt does not check
   * values that are rarely taken: the check would conflict with concurrent writers.
   */
  readonly isFirstTry: boolean
  /** True once the operation's `allow` has been checked. Otherwise the transaction is not committed. */
  isChecked: boolean
  /** False in a request whose operation does not charge: see `serialize-charges.ts`. */
  mayCharge: boolean
  /** The objects that the audit log records. Undefined in a transaction that is not recorded. */
  readonly touches: Touches | undefined
  /** The loops to wake after the commit. */
  readonly woken: Set<Waking>
  /** Called when the attempt has ended, whatever its outcome. */
  readonly endings: (() => void)[]
  /** The SSH keys of the actor, read once: early, so that they share a round trip with other statements. */
  ownKeys: Promise<{ id: string }[]> | undefined
  /** The block of source NAT that was assigned to this attempt before it began: decision 0032. */
  snatClaim: SnatBlockTable | undefined
}

/** A transaction, and what it carries. */
export interface InTransaction {
  readonly tx: Tx
  readonly unit: UnitOfWork
}

/** The unit of work of one attempt. `touches` is given if the audit log records what the attempt touches. */
export const newUnitOfWork = ({ touches, isFirstTry = false }: NewUnitOfWork = {}): UnitOfWork => ({
  isFirstTry,
  isChecked: false,
  mayCharge: true,
  touches,
  woken: new Set(),
  endings: [],
  ownKeys: undefined,
  snatClaim: undefined,
})
interface NewUnitOfWork {
  touches?: Touches | undefined
  isFirstTry?: boolean
}

/** A transaction that no request asked for: the audit log does not record what it touches. */
export const withoutRequest = (tx: Tx): InTransaction => ({ tx, unit: newUnitOfWork() })

/** Context of a handler: inside one transaction, with a signed-in actor. */
export interface Ctx extends Common, InTransaction {
  readonly actor: Actor
  /** Wakes a loop after the commit. */
  wake(what: Waking): void
}

/**
 * Answers a request of an actor. For a change, `before` and `after` run at the beginning and the end of its
 * transaction, or of each that an operation with transactions of its handler writes in; if one throws, the change is rolled back.
 */
export type AskAs = (
  actor: Actor,
  request: ApiRequest,
  around?: { before?: (tx: Tx) => Promise<void>; after?: (tx: Tx) => Promise<void> },
) => Promise<ApiResponse>

/** The error of a request, or null if its outcome is unknown. */
export type Failure = { status: number; code: string | undefined; message: string } | null

/** Text that is made while it is sent, and what a browser saves it as. */
export interface StreamedText {
  contentType: string
  /** Without one it is not saved, but read while it comes. */
  fileName?: string
  text: AsyncIterable<string>
}

/** A file that is answered, as a whole or in part. */
export interface FileAnswer {
  contentType: string
  /** The name under which a browser saves it. */
  fileName: string
  /** bytes */
  size: number
  /** The strong entity tag of its content. */
  tag?: string
  /** Its bytes from an offset up to another one, in pieces. */
  read: (from: number, to: number) => AsyncIterable<Uint8Array>
}

/** The addresses that a client watches. */
export interface Subscription {
  /** The addresses of lists and views. */
  scopes: readonly string[]
  /** The digests of the answers that the client has, in the same order; empty for one that it does not have. */
  known: readonly string[]
  /** If not, the text ends with what differs from these. */
  follow: boolean
}

/** The work of an attempt, which notes what it touches. Nothing is noted if `touches` is undefined. */
export type RecordedWork<T> = (touches: Touches | undefined) => Promise<T>

/** The calls with which handlers complete the record of a request. */
export interface AuditRecord {
  /** Runs one attempt of the transaction that does the work. Its last statement writes the entry. */
  attempt<T>(begun: Begun, work: RecordedWork<T>): Promise<T>
  /** Runs a transaction that only finds what the request is about. */
  look<T>(work: RecordedWork<T>): Promise<T>
  /** The account of an attempt to sign in. */
  account(silo: { id: string; name: string }, user?: { id: string; name: string }): void
  /** The user who has signed in with the request. */
  signedIn(actor: { id: string; name: string }): void
  /** The request has succeeded. */
  succeeded(): Promise<void>
  failed(failure: Failure): Promise<void>
}

/**
 * A request that has been parsed and authenticated. Handlers get it that manage their transactions
 * themselves: sign-in, sign-out, queries, bulk import, serial console.
 */
export interface RequestContext extends Common {
  /** Null without a valid session; only operations that allow `public` see that. */
  readonly actor: Actor | null
  readonly sessionToken: string | null
  /** The credential of the actor: the token of a session or an access token; null without an actor. */
  readonly credential: string | null
  /** Address of the client, for limits. */
  readonly remote: string
  /** The User-Agent header. */
  readonly userAgent: string | undefined
  readonly secure: boolean
  /** Aborted once the client has closed the connection; undefined for a request without a client. */
  readonly signal: AbortSignalLike | undefined
  /** The Cookie header, for cookies other than the session's. */
  readonly cookieHeader: string | undefined
  /** The id of the last event that a client has of a stream that broke. */
  readonly lastEventId: string | undefined
  /** Server-sent events on which of these addresses answer something else than before. Throws what reading them throws. */
  watch(asked: Subscription): Promise<AsyncIterable<string>>
  /** Text or a file that the handler answers with, of an operation that streams, or the address that it leads to. */
  readonly answer: { stream?: StreamedText; file?: FileAnswer; location?: string }
  /** The Set-Cookie headers that the handler adds to the response. */
  readonly cookies: string[]
  /** Further fields of the request's line in the log. Never a secret. */
  readonly logged: Record<string, string>
  readonly audit: AuditRecord
  /** Wakes a loop now: for work whose transaction is not one of the request. */
  wake(what: Waking): void
  /** Answers another request of the same actor, or of the actor as it is by now. */
  ask(request: ApiRequest, as?: Actor): Promise<ApiResponse>
  /**
   * Runs work in one transaction, which it has to check permissions for, and wakes the loops it asks for
   * after the commit. `reads`, if given, collects the tables that were read.
   */
  transaction<T>(mode: 'read' | 'write', work: (ctx: Ctx) => Promise<T>, reads?: Set<TableName>): Promise<T>
}

export type Handler<O extends OpShape> = (ctx: Ctx, input: Parsed<O>) => Promise<Result<O>>
/** A handler that manages its transactions itself. */
export interface NonTransactionalHandler<O extends OpShape> {
  withoutTransaction: (ctx: RequestContext, input: Parsed<O>) => Promise<Result<O>>
}

/** A handler for every operation: one that is missing does not compile. */
export type Handlers = {
  [K in keyof Operations]: Handler<Operations[K]> | NonTransactionalHandler<Operations[K]>
}
/** The body of an operation's request, as its handler is given it. */
export type BodyOf<K extends keyof Operations> =
  Parsed<Operations[K]> extends { body: infer Body } ? Body : never
/** The exports of one family's file. */
export type Family<K extends keyof Operations> = {
  [P in K]: Handler<Operations[P]> | NonTransactionalHandler<Operations[P]>
}
