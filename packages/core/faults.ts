/** Every way to fail, as named values. A fault becomes the error envelope; other errors do not reach a client. */
import { otherUserCode, recentSignInCode, secondFactorCode } from '@purlin/contract/http'
import { article } from '@purlin/contract/rules/kinds'
import { messages, quoted, type About, type Entry } from '@purlin/contract/rules/messages'
import { isUuid } from '@purlin/contract/rules/names'
import type { QuotaExceeded } from '@purlin/contract/rules/quotas'

/** Why a request is outside of the limits of its key. */
const limitsOfKeys = {
  read_only: 'the key is read-only',
  project: 'the key is for one project',
  key: 'a key cannot make anything to sign in with',
}

/** A failed request: status, error code (if the API defines one), message, and subject. */
export class Fault extends Error {
  override name = 'Fault'
  readonly status: number
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly about: About
  /** Of a quota that is too small: what clients show in their own words. */
  readonly quota: QuotaExceeded | undefined
  /** The entry of a list in the request that the fault is about. */
  readonly entry: Entry | undefined
  constructor(
    status: number,
    message: string,
    more: {
      code?: string
      headers?: Record<string, string>
      cookies?: readonly string[]
      about?: About
      quota?: QuotaExceeded
      entry?: Entry
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = more.code
    this.headers = more.headers ?? {}
    this.cookies = more.cookies ?? []
    this.about = more.about ?? {}
    this.quota = more.quota
    this.entry = more.entry
  }
}

/** `a`, `a and b`, `a, b, and c` */
const listOf = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`

export const fault = {
  // The HTTP layer: no error code
  noRoute: () => new Fault(404, 'Not Found'),
  noMethod: (allowed: readonly string[]) =>
    new Fault(405, 'Method Not Allowed', { headers: { allow: allowed.join(', ') } }),
  badPath: (reason: string) => new Fault(400, `bad parameter in URL path: ${reason}`),
  /** The list has too many rows for an order without an index. */
  badOrder: (mode: string, most: number) => new Fault(400, messages.badOrder({ mode, most })),
  badQuery: (reason: string) => new Fault(400, `unable to parse query string: ${reason}`),
  badBody: (reason: string, at?: { line: number; column: number }) =>
    new Fault(400, at ? messages.badBodyAt({ reason, ...at }) : messages.badBody({ reason })),
  badContentType: (got: string, expected: string) =>
    new Fault(400, `expected content type "${expected}", got "${quoted(got)}"`),
  badContentEncoding: (got: string) =>
    new Fault(415, `unsupported content encoding "${quoted(got)}": send the body without one`),
  badForm: (reason: string) => new Fault(400, `unable to parse URL-encoded body: ${reason}`),
  protected: (noun: string, name: string): Fault =>
    fault.invalid(`${noun} "${name}" is protected from deletion. Remove the protection first`),
  hostBits: (net: string): Fault => fault.invalid(`IP address range '${net}' has a non-zero host identifier`),
  badToken: (reason: string) => new Fault(400, `failed to parse pagination token: ${reason}`),
  badCredentials: (reason: string) => new Fault(400, `bad authentication credentials: ${reason}`),
  /** The requested part of an answer does not exist. */
  noSuchRange: (size: number) =>
    new Fault(416, `the range is not within the ${size} bytes`, {
      headers: { 'content-range': `bytes */${size}` },
    }),
  bodyTooLarge: (limit: number) => new Fault(413, `request body exceeded maximum size of ${limit} bytes`),
  /** More bytes are on their way than there is memory for. */
  tooManyBodies: () =>
    new Fault(503, 'the server is receiving too much data: try again in a second', {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': '1' },
    }),
  /** Too many requests of this client are waiting to accept another one. */
  tooManyWaiting: () =>
    new Fault(503, 'too many of your requests are waiting: try again in a second', {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': '1' },
    }),
  slowBody: () => new Fault(408, 'the request body took too long to arrive'),
  /** No client reads this answer; the log has it. */
  clientGone: () => new Fault(408, 'the client has closed the connection'),
  foreignOrigin: () => new Fault(403, 'requests from another origin are refused', { code: 'Forbidden' }),
  tooManyAttempts: (seconds: number) =>
    new Fault(429, `too many sign-in attempts, try again in ${seconds} seconds`, {
      code: 'TooManyRequests',
      headers: {
        'retry-after': String(seconds),
      },
    }),
  /** Too many passwords wait to be verified. `seconds`: when the queue is done. */
  tooManyPasswords: (seconds: number) =>
    new Fault(503, `too many users are signing in: try again in ${seconds} seconds`, {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': String(seconds) },
    }),
  tooManyQueries: () =>
    new Fault(429, 'too many queries are running: try again when one of them has finished', {
      code: 'TooManyRequests',
      headers: { 'retry-after': '1' },
    }),
  tooManyConsoles: (most: number, noun: string) =>
    new Fault(429, `you have ${most} ${noun} open, which is the limit. Close one first`, {
      code: 'TooManyRequests',
    }),
  tooManyStreams: (most: number, whose: string) =>
    new Fault(429, `${whose} ${most} streams of events open, which is the limit`, {
      code: 'TooManyRequests',
      headers: { 'retry-after': '10' },
    }),
  slowScopes: () =>
    new Fault(503, 'the addresses took too long to read: watch fewer of them, or shorter lists', {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': '10' },
    }),
  notWatched: (scope: string) =>
    new Fault(400, messages.scope({ scope: quoted(scope), reason: 'its changes cannot be watched' })),
  ofScope: (scope: string, { status, code, message }: Fault) =>
    new Fault(
      status,
      messages.scope({ scope: quoted(scope), reason: message }),
      code === undefined ? {} : { code },
    ),
  /** The errors that a device gets while it polls for its token. */
  oauth: (
    error:
      | 'authorization_pending'
      | 'slow_down'
      | 'expired_token'
      | 'invalid_grant'
      | 'unsupported_grant_type',
  ) => new Fault(400, error, { code: error }),
  /** A request of SCIM that is refused, and the kind of error (RFC 7644, section 3.12). */
  scim: (
    type:
      | 'invalidFilter'
      | 'invalidPath'
      | 'invalidSyntax'
      | 'invalidValue'
      | 'mutability'
      | 'noTarget'
      | 'tooMany'
      | 'uniqueness',
    reason: string,
  ) => new Fault(type === 'uniqueness' ? 409 : 400, reason, { code: type }),
  tooManyRequests: (seconds: number) =>
    new Fault(429, `too many requests, try again in ${seconds} seconds`, {
      code: 'TooManyRequests',
      headers: { 'retry-after': String(seconds) },
    }),
  tooManyTasks: (most: number) =>
    new Fault(429, `you have ${most} open tasks, which is the limit. Wait for one to end, or cancel it`, {
      code: 'TooManyRequests',
    }),
  badUpgrade: (reason: string) => new Fault(400, reason),

  // Authentication, permissions, lookup
  /** The same for every code that does not count, so that nothing is learned by guessing. */
  badJoinCode: () =>
    new Fault(400, 'the join code is wrong, was used already, or has expired: make another one', {
      code: 'InvalidRequest',
    }),
  /** The answer of an identity provider is not accepted. */
  refusedAnswer: (reason: string) => new Fault(400, `answer of the identity provider refused: ${reason}`),
  unauthorized: () =>
    new Fault(401, 'credentials missing or invalid', {
      code: 'Unauthorized',
      headers: { 'www-authenticate': 'Bearer' },
    }),
  /** The client acts for another user than that of its session: another tab has signed in. */
  otherUser: () => new Fault(409, 'another user has signed in', { code: otherUserCode }),
  /** The password is right. The cookie is for the next step. */
  secondFactorNeeded: (cookie: string) =>
    new Fault(401, 'a second factor is needed', { code: secondFactorCode, cookies: [cookie] }),
  recentSignIn: () =>
    new Fault(403, 'sign in again: your last sign-in is too long ago for this change', {
      code: recentSignInCode,
    }),
  forbidden: () => new Fault(403, 'Forbidden', { code: 'Forbidden' }),
  disabledAccount: () =>
    new Fault(400, 'the service account is disabled: enable it first', { code: 'InvalidRequest' }),
  /** The credential is limited to less than its user may do. */
  outsideOfKey: (limit: keyof typeof limitsOfKeys) =>
    new Fault(403, limitsOfKeys[limit], { code: 'Forbidden' }),
  notFound: (type: string, name: string) =>
    new Fault(404, messages.notFound({ type, by: isUuid(name) ? 'id' : 'name', name: quoted(name) }), {
      code: 'ObjectNotFound',
      about: { type, name },
    }),
  /** A receiver has no such subscription. */
  notSubscribed: () => new Fault(404, 'Not Found', { code: 'ObjectNotFound' }),
  /** A receiver of alerts is of another kind than the operation is for. */
  otherReceiver: (kind: 'webhook' | 'email') =>
    fault.invalid(`the receiver does not get alerts ${kind === 'webhook' ? 'as a webhook' : 'by e-mail'}`),
  tooManyProbes: (most: number) =>
    new Fault(
      429,
      `${most} probes are being sent, which is the limit: try again when one of them has ended`,
      {
        code: 'TooManyRequests',
        headers: { 'retry-after': '1' },
      },
    ),
  /** A pool is not linked to a silo. */
  notLinked: (poolId: string, siloId: string) =>
    new Fault(
      404,
      messages.notFound({ type: 'ip-pool-resource', by: 'id', name: `(${poolId}, ${siloId})` }),
      { code: 'ObjectNotFound' },
    ),
  notTimeZone: () =>
    fault.invalidValue(
      'time_zone',
      'it must be the name of a zone of the IANA database, such as Europe/Berlin',
    ),
  noSnapshotSchedule: (disk: string) =>
    new Fault(404, `not found: snapshot schedule of disk "${quoted(disk)}"`, { code: 'ObjectNotFound' }),
  noDefaultPool: () =>
    new Fault(404, 'not found: default IP pool for current silo', { code: 'ObjectNotFound' }),

  // The request
  exists: (type: string, name: string) =>
    new Fault(400, messages.alreadyExists({ type, name }), {
      code: 'ObjectAlreadyExists',
      about: { type, name },
    }),
  invalid: (message: string) => new Fault(400, message, { code: 'InvalidRequest' }),
  invalidValue: (field: string, reason: string) =>
    new Fault(400, messages.unsupportedValue({ field, reason }), { code: 'InvalidValue', about: { field } }),
  /** The problem with an entry of a list in the request. */
  ofEntry: (entry: Entry, { status, code, message, headers, about }: Fault) =>
    new Fault(status, message, { ...(code === undefined ? {} : { code }), headers, about, entry }),
  externalIpNotAvailable: () => fault.invalid(messages.externalIpNotAvailable({})),
  conflict: (message: string) => new Fault(409, message, { code: 'Conflict' }),
  matchesChanged: () =>
    new Fault(412, 'the matching resources have changed since the preview: request a new one', {
      code: 'PreconditionFailed',
    }),
  changedSince: () =>
    new Fault(412, 'the resource has changed since it was read', { code: 'PreconditionFailed' }),
  noCapacity: (reason: string) =>
    new Fault(507, `Insufficient capacity: ${reason}`, { code: 'InsufficientCapacity' }),
  limitExceeded: (noun: string, reason: string, quota?: QuotaExceeded) =>
    new Fault(507, messages.limitExceeded({ noun, reason }), {
      code: 'InsufficientCapacity',
      ...(quota ? { quota } : {}),
    }),
  tooMany: ({ noun, holder, has, most }: { noun: string; holder: string; has: number; most: number }) =>
    fault.limitExceeded(
      `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
      `the ${holder} has ${has} of ${most}. ` +
        `Delete unused ones, or ask the operator of the rack for a larger limit.`,
    ),
  storageFull: () =>
    fault.noCapacity(
      'The storage of this control plane is full. Delete unused resources, or ask the operator of the rack for more storage.',
    ),
  bytesMissing: () =>
    fault.unavailable(
      'bytes of this disk are missing from the data folder. Ask the operator of the rack to restore them',
    ),
  databaseUnavailable: () =>
    new Fault(503, 'the database does not answer: try again', {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': '1' },
    }),
  contention: () =>
    new Fault(503, 'too many requests change the same data: try again', {
      code: 'ServiceNotAvailable',
      headers: { 'retry-after': '1' },
    }),
  // Without Retry-After: clients must not repeat a change automatically that may have been made.
  outcomeUnknown: () =>
    new Fault(
      503,
      'the connection to the database was lost during the request. The outcome is unknown. Check before you retry',
      {
        code: 'ServiceNotAvailable',
      },
    ),
  /** `reason` is for people. */
  unavailable: (reason?: string) =>
    new Fault(503, reason === undefined ? 'Service Unavailable' : `Service Unavailable: ${reason}`, {
      code: 'ServiceNotAvailable',
    }),
  internal: () => new Fault(500, 'Internal Server Error', { code: 'Internal' }),

  // Messages that several resources share
  needsParent: (field: string, parent: string) =>
    fault.invalid(`${field} should either be UUID or ${parent} should be specified`),
  parentWithId: (field: string, parents: readonly string[]) =>
    fault.invalid(`when providing ${field} as an ID ${listOf(parents)} should not be specified`),
  projectNotEmpty: (kind: string, name: string) =>
    fault.invalid(`project to be deleted contains ${article(kind)} ${kind}: ${name}`),
  noAdminLeft: (level: 'fleet' | 'silo') =>
    fault.invalid(`the ${level} must keep at least one admin who can sign in and whose role does not expire`),
  concurrentDelete: () => fault.invalid('deletion failed due to concurrent modification'),
}
