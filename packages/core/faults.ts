/** Every way to fail, as named values. A fault becomes the error envelope; nothing else reaches a client. */
import { isUuid } from '@purlin/contract/rules/names'

/** A refusal with its status, error code (if the API defines one) and message. */
export class Fault extends Error {
  override name = 'Fault'
  readonly status: number
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, code: string | undefined, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

const article = (word: string) => (/^[aeiou]/.test(word) ? 'an' : 'a')

export const fault = {
  // The door: no error code
  noRoute: () => new Fault(404, undefined, 'Not Found'),
  noMethod: (allowed: readonly string[]) =>
    new Fault(405, undefined, 'Method Not Allowed', { allow: allowed.join(', ') }),
  badPath: (reason: string) => new Fault(400, undefined, `bad parameter in URL path: ${reason}`),
  badQuery: (reason: string) => new Fault(400, undefined, `unable to parse query string: ${reason}`),
  badBody: (reason: string) => new Fault(400, undefined, `unable to parse JSON body: ${reason}`),
  badContentType: (got: string) =>
    new Fault(400, undefined, `expected content type "application/json", got "${got}"`),
  badToken: (reason: string) => new Fault(400, undefined, `failed to parse pagination token: ${reason}`),
  badCredentials: (reason: string) => new Fault(400, undefined, `bad authentication credentials: ${reason}`),
  bodyTooLarge: (limit: number) =>
    new Fault(413, undefined, `request body exceeded maximum size of ${limit} bytes`),
  foreignOrigin: () => new Fault(403, 'Forbidden', 'requests from another origin are refused'),
  tooManyAttempts: (seconds: number) =>
    new Fault(429, 'TooManyRequests', `too many sign-in attempts, try again in ${seconds} seconds`, {
      'retry-after': String(seconds),
    }),
  badUpgrade: (reason: string) => new Fault(400, undefined, reason),

  // Who may what
  unauthorized: () => new Fault(401, 'Unauthorized', 'credentials missing or invalid', { 'www-authenticate': 'Bearer' }),
  forbidden: () => new Fault(403, 'Forbidden', 'Forbidden'),
  notFound: (kind: string, nameOrId: string) =>
    new Fault(404, 'ObjectNotFound', `not found: ${kind} with ${isUuid(nameOrId) ? 'id' : 'name'} "${nameOrId}"`),
  noDefaultPool: () => new Fault(404, 'ObjectNotFound', 'not found: default IP pool for current silo'),

  // What was asked
  exists: (kind: string, name: string) =>
    new Fault(400, 'ObjectAlreadyExists', `already exists: ${kind} "${name}"`),
  invalid: (message: string) => new Fault(400, 'InvalidRequest', message),
  invalidValue: (label: string, reason: string) =>
    new Fault(400, 'InvalidValue', `unsupported value for "${label}": ${reason}`),
  conflict: (message: string) => new Fault(409, 'Conflict', message),
  noCapacity: (reason: string) => new Fault(507, 'InsufficientCapacity', `Insufficient capacity: ${reason}`),
  unavailable: () => new Fault(503, 'ServiceNotAvailable', 'Service Unavailable'),
  internal: () => new Fault(500, 'Internal', 'Internal Server Error'),

  // Sentences that several rules share
  needsParent: (word: string, parent: string) =>
    fault.invalid(`${word} should either be UUID or ${parent} should be specified`),
  parentWithId: (word: string, parents: readonly string[]) =>
    fault.invalid(`when providing ${word} as an ID ${parents.join(' and ')} should not be specified`),
  projectNotEmpty: (kind: string, name: string) =>
    fault.invalid(`project to be deleted contains ${article(kind)} ${kind}: ${name}`),
  concurrentDelete: () => fault.invalid('deletion failed due to concurrent modification'),
}
