/** Every way to fail, as named values. A fault becomes the error envelope; nothing else reaches a client. */
import { isUuid } from '@purlin/contract/rules/names'

/** A refusal with its status, error code (if the API defines one) and message. */
export class Fault extends Error {
  override name = 'Fault'
  readonly status: number
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(
    status: number,
    message: string,
    more: { code?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = more.code
    this.headers = more.headers ?? {}
  }
}

const article = (word: string) => (/^[aeiou]/.test(word) ? 'an' : 'a')

export const fault = {
  // The door: no error code
  noRoute: () => new Fault(404, 'Not Found'),
  noMethod: (allowed: readonly string[]) =>
    new Fault(405, 'Method Not Allowed', { headers: { allow: allowed.join(', ') } }),
  badPath: (reason: string) => new Fault(400, `bad parameter in URL path: ${reason}`),
  badQuery: (reason: string) => new Fault(400, `unable to parse query string: ${reason}`),
  badBody: (reason: string) => new Fault(400, `unable to parse JSON body: ${reason}`),
  badContentType: (got: string) => new Fault(400, `expected content type "application/json", got "${got}"`),
  badToken: (reason: string) => new Fault(400, `failed to parse pagination token: ${reason}`),
  badCredentials: (reason: string) => new Fault(400, `bad authentication credentials: ${reason}`),
  bodyTooLarge: (limit: number) => new Fault(413, `request body exceeded maximum size of ${limit} bytes`),
  foreignOrigin: () => new Fault(403, 'requests from another origin are refused', { code: 'Forbidden' }),
  tooManyAttempts: (seconds: number) =>
    new Fault(429, `too many sign-in attempts, try again in ${seconds} seconds`, {
      code: 'TooManyRequests',
      headers: {
        'retry-after': String(seconds),
      },
    }),
  tooManyQueries: () =>
    new Fault(429, 'too many queries at once, try again when some of them are answered', {
      code: 'TooManyRequests',
      headers: { 'retry-after': '1' },
    }),
  badUpgrade: (reason: string) => new Fault(400, reason),

  // Who may what
  unauthorized: () =>
    new Fault(401, 'credentials missing or invalid', {
      code: 'Unauthorized',
      headers: { 'www-authenticate': 'Bearer' },
    }),
  forbidden: () => new Fault(403, 'Forbidden', { code: 'Forbidden' }),
  notFound: (kind: string, nameOrId: string) =>
    new Fault(404, `not found: ${kind} with ${isUuid(nameOrId) ? 'id' : 'name'} "${nameOrId}"`, {
      code: 'ObjectNotFound',
    }),
  noDefaultPool: () =>
    new Fault(404, 'not found: default IP pool for current silo', { code: 'ObjectNotFound' }),

  // What was asked
  exists: (kind: string, name: string) =>
    new Fault(400, `already exists: ${kind} "${name}"`, { code: 'ObjectAlreadyExists' }),
  invalid: (message: string) => new Fault(400, message, { code: 'InvalidRequest' }),
  invalidValue: (label: string, reason: string) =>
    new Fault(400, `unsupported value for "${label}": ${reason}`, { code: 'InvalidValue' }),
  conflict: (message: string) => new Fault(409, message, { code: 'Conflict' }),
  changedSince: () =>
    new Fault(412, 'what was asked to change is no longer as it was read', { code: 'PreconditionFailed' }),
  noCapacity: (reason: string) =>
    new Fault(507, `Insufficient capacity: ${reason}`, { code: 'InsufficientCapacity' }),
  storageFull: () => fault.noCapacity('the storage of this control plane is full'),
  unavailable: () => new Fault(503, 'Service Unavailable', { code: 'ServiceNotAvailable' }),
  internal: () => new Fault(500, 'Internal Server Error', { code: 'Internal' }),

  // Sentences that several rules share
  needsParent: (word: string, parent: string) =>
    fault.invalid(`${word} should either be UUID or ${parent} should be specified`),
  parentWithId: (word: string, parents: readonly string[]) =>
    fault.invalid(`when providing ${word} as an ID ${parents.join(' and ')} should not be specified`),
  projectNotEmpty: (kind: string, name: string) =>
    fault.invalid(`project to be deleted contains ${article(kind)} ${kind}: ${name}`),
  concurrentDelete: () => fault.invalid('deletion failed due to concurrent modification'),
}
