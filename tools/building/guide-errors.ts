/** Every error of the API with its text, as the program makes it, and the advice for the person who reads it. */
import { errorAnchor } from '@purlin/console/src/lib/addresses'
import { fault, type Fault } from '@purlin/core'

interface Advice {
  fault: Fault
  /** Markdown */
  advice: string
}
const of = (made: Fault, advice: string): Advice => ({ fault: made, advice })

const id = '7f3a9e2c-0000-4000-8000-000000000000'
const free = 'Wait for the time in `Retry-After` and try again.'
const field = 'Correct the field that the message names. The [API](/docs/api) has its type and limits.'
const program =
  'A program has sent a request that the API does not have. Compare it with the [API](/docs/api).'
const quota =
  'Stop or delete something, or ask for a larger quota: see [Quotas](quotas.md#a-request-says-insufficient-capacity).'

/** One row for each fault: the type check names a fault without one. */
export const errorRows: Record<keyof typeof fault, Advice> = {
  noRoute: of(fault.noRoute(), program),
  noMethod: of(fault.noMethod(['GET']), program),
  badPath: of(fault.badPath('…'), field),
  badOrder: of(fault.badOrder('…', 50_000), 'Order the list by name or id, or filter it.'),
  badQuery: of(fault.badQuery('…'), field),
  badBody: of(fault.badBody('…'), field),
  badContentType: of(
    fault.badContentType('text/plain', 'application/json'),
    'Send the header `Content-Type` that the message expects.',
  ),
  badContentEncoding: of(fault.badContentEncoding('gzip'), 'Send the body without compression.'),
  badForm: of(fault.badForm('…'), field),
  protected: of(
    fault.protected('disk', 'data'),
    'Edit the resource and allow its deletion: see [Projects](projects.md#protection-from-deletion).',
  ),
  hostBits: of(fault.hostBits('10.0.0.1/24'), 'Write the first address of the range: `10.0.0.0/24`.'),
  badToken: of(
    fault.badToken('…'),
    'Send `page_token` as the page before gave it, with the same order, or begin with the first page.',
  ),
  badCredentials: of(fault.badCredentials('…'), 'Send one session or one access token.'),
  noSuchRange: of(fault.noSuchRange(1024), 'Ask for a part within the size that the message has.'),
  bodyTooLarge: of(fault.bodyTooLarge(1_048_576), 'Send less at a time: see [Limits](limits.md).'),
  tooManyBodies: of(fault.tooManyBodies(), free),
  tooManyWaiting: of(fault.tooManyWaiting(), free),
  slowBody: of(fault.slowBody(), 'Check the connection, and send the request again.'),
  clientGone: of(
    fault.clientGone(),
    'Your program has closed the connection. Check whether the change was made.',
  ),
  disabledAccount: of(
    fault.disabledAccount(),
    'Enable the service account: its former keys stay void. See [Access](access.md).',
  ),
  outsideOfKey: of(
    fault.outsideOfKey('read_only'),
    'Use a key of the service account without this limit, or make another one.',
  ),
  foreignOrigin: of(
    fault.foreignOrigin(),
    'The address in the browser is not the one that the server knows: see [Behind a proxy](server-settings.md#behind-a-proxy).',
  ),
  tooManyAttempts: of(fault.tooManyAttempts(30), 'Wait. It protects your account from guessing.'),
  tooManyPasswords: of(fault.tooManyPasswords(5), free),
  tooManyQueries: of(fault.tooManyQueries(), 'Wait for a query to end, or close charts.'),
  tooManyConsoles: of(fault.tooManyConsoles(20, 'serial consoles'), 'Close one of them.'),
  tooManyStreams: of(fault.tooManyStreams(20, 'you have'), 'Close tabs or programs that watch changes.'),
  slowScopes: of(fault.slowScopes(), 'Watch fewer addresses, or shorter lists.'),
  notWatched: of(fault.notWatched('/v1/logout'), 'Watch a list or a view.'),
  ofScope: of(
    fault.ofScope('/v1/projects/shop', fault.forbidden()),
    'Correct the address that the message names; the reason follows it.',
  ),
  oauth: of(
    fault.oauth('authorization_pending'),
    'Wait until the user has entered the code, at least five seconds between two requests.',
  ),
  scim: of(
    fault.scim('invalidFilter', '…'),
    'Correct the settings of your directory: see [SCIM](identity-providers.md#manage-users-by-scim).',
  ),
  tooManyRequests: of(fault.tooManyRequests(5), free),
  tooManyTasks: of(fault.tooManyTasks(10), 'Wait for a task to end, or cancel one.'),
  badUpgrade: of(fault.badUpgrade('…'), 'Open the serial console as a WebSocket.'),
  badJoinCode: of(
    fault.badJoinCode(),
    'Make another code: see [If a host cannot join](hosts.md#if-a-host-cannot-join).',
  ),
  refusedAnswer: of(
    fault.refusedAnswer('…'),
    'See [If a sign-in fails](identity-providers.md#if-a-sign-in-fails).',
  ),
  unauthorized: of(
    fault.unauthorized(),
    'Sign in again, or create a new [access token](sign-in.md#create-an-access-token).',
  ),
  otherUser: of(fault.otherUser(), 'Another tab has signed in as another user. Load the page again.'),
  secondFactorNeeded: of(
    fault.secondFactorNeeded(''),
    'Sign in in a browser: see [Sign in](sign-in.md#sign-in-with-a-password).',
  ),
  recentSignIn: of(fault.recentSignIn(), 'Sign out, sign in, and make the change within 15 minutes.'),
  forbidden: of(
    fault.forbidden(),
    'You may see this and not change it. Ask an admin for a [role](access.md#choose-the-role).',
  ),
  notFound: of(
    fault.notFound('disk', 'web'),
    'Check name, project and silo. Without a role you cannot see it either.',
  ),
  notSubscribed: of(fault.notSubscribed(), 'The receiver has no such subscription.'),
  otherReceiver: of(fault.otherReceiver('webhook'), 'Use the operation for the kind of the receiver.'),
  tooManyProbes: of(fault.tooManyProbes(8), free),
  notLinked: of(fault.notLinked(id, id), 'See [Link a pool to a silo](ip-pools.md#link-a-pool-to-a-silo).'),
  notTimeZone: of(fault.notTimeZone(), field),
  noSnapshotSchedule: of(
    fault.noSnapshotSchedule('data'),
    'Set a [schedule](disks.md#take-snapshots-regularly) first.',
  ),
  noDefaultPool: of(
    fault.noDefaultPool(),
    'Name a pool, or ask an operator for a [default pool](ip-pools.md#link-a-pool-to-a-silo).',
  ),
  exists: of(fault.exists('disk', 'web'), 'Choose another name, or delete the other one.'),
  invalid: of(
    fault.invalid('…'),
    'The message says what cannot be done and why. The state of a resource may not allow it: see [its actions](instances.md#start-stop-and-reboot).',
  ),
  invalidValue: of(fault.invalidValue('size', '…'), field),
  ofEntry: of(
    fault.ofEntry({ list: 'disks', index: 0, name: 'data' }, fault.exists('disk', 'data')),
    'Correct the entry of the list.',
  ),
  externalIpNotAvailable: of(fault.externalIpNotAvailable(), 'Choose another address, or leave it blank.'),
  conflict: of(fault.conflict('…'), 'Look at the present state, then try again.'),
  matchesChanged: of(fault.matchesChanged(), 'Look at the rows again and repeat the action.'),
  changedSince: of(
    fault.changedSince(),
    'Another user has changed it. Load it again and repeat your change.',
  ),
  noCapacity: of(fault.noCapacity('…'), quota),
  limitExceeded: of(fault.limitExceeded('Storage', '…'), quota),
  tooMany: of(
    fault.tooMany({ noun: 'disk', holder: 'project', has: 1000, most: 1000 }),
    'Delete unused ones, or ask an operator to raise the [limit](limits.md#numbers-of-resources).',
  ),
  storageFull: of(fault.storageFull(), 'Delete disks, snapshots or images. Operators add storage.'),
  bytesMissing: of(fault.bytesMissing(), 'Operators [restore a backup](backup.md#restore-a-backup).'),
  databaseUnavailable: of(fault.databaseUnavailable(), free),
  contention: of(fault.contention(), free),
  outcomeUnknown: of(fault.outcomeUnknown(), 'Look whether the change was made before you repeat it.'),
  unavailable: of(fault.unavailable('…'), 'The message has the reason. Try again later.'),
  internal: of(fault.internal(), 'Report it with the request id.'),
  needsParent: of(fault.needsParent('disk', 'project'), 'Name the project too, or use the id.'),
  parentWithId: of(fault.parentWithId('disk', ['project']), 'Leave the project out: the id suffices.'),
  projectNotEmpty: of(fault.projectNotEmpty('disk', 'data'), 'Delete what the message names first.'),
  noAdminLeft: of(fault.noAdminLeft('silo'), 'Give another user the role admin first.'),
  concurrentDelete: of(fault.concurrentDelete(), 'Load it again and repeat the deletion.'),
}

const statuses: Record<number, string> = {
  400: 'The request is wrong',
  401: 'You are not signed in',
  403: 'You may not do this',
  404: 'It does not exist, or you may not see it',
  405: 'The method is wrong',
  408: 'The request took too long',
  409: 'It conflicts with something else',
  412: 'It has changed since',
  413: 'The request is too large',
  415: 'The type is wrong',
  416: 'The part does not exist',
  429: 'You ask too often',
  500: 'The server has failed',
  503: 'The server is not available now',
  507: 'There is not enough room',
}

/** Markdown: a heading for each status, and a table of its errors. */
export function errorTables(): string {
  const rows = Object.values(errorRows)
  const linked = new Set<string>()
  // The console links the first row of the code of an error.
  const codeCell = (code = '') => {
    if (code === '') return ''
    const anchor = linked.has(code) ? '' : `<a id="${errorAnchor(code)}"></a>`
    linked.add(code)
    return `${anchor}\`${code}\``
  }
  return Object.entries(statuses)
    .map(([status, title]) => {
      const lines = rows
        .filter((row) => row.fault.status === Number(status))
        .map(({ fault: { message, code }, advice }) => `| ${cell(message)} | ${codeCell(code)} | ${advice} |`)
      return [
        `## ${status}: ${title}`,
        '',
        '| text | code | do |',
        '|---|---|---|',
        ...new Set(lines),
        '',
      ].join('\n')
    })
    .join('\n')
}

const cell = (text: string) =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll('_', String.raw`\_`)
    .replaceAll('`', String.raw`\``)
