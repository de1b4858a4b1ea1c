/** Signs in by the device flow of RFC 8628: the user confirms a code in the browser. */
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { requestOf } from '@purlin/contract/commands/request'
import { operations } from '@purlin/contract/operations'
import { CliError, failureOf } from '../errors.ts'
import { begin, sendForText, type Server } from '../http/send.ts'
import { note, type Io } from '../io.ts'
import type { Options } from '../commands/local.ts'
import { printable } from '@purlin/contract/commands/printable'
import { originOf, warnIfOpen } from './server.ts'
import { readProfiles, withProfile, writeProfiles } from './store.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
/** RFC 8628, section 3.5: how much longer to wait after `slow_down`. */
const slowerBySeconds = 5

interface Codes {
  device_code: string
  user_code: string
  verification_uri: string
  expires_in: number
  interval: number
}
interface Grant {
  access_token: string
  token_id: string
  time_expires: string | null
}

/** Signs in, and makes the profile the current one. */
export async function login(io: Io, options: Options): Promise<void> {
  const name = typeof options['profile'] === 'string' ? options['profile'] : 'default'
  const profiles = readProfiles(io)
  const given = options['host'] ?? profiles.profiles[name]?.host ?? io.env['PURLIN_HOST']
  if (typeof given !== 'string') throw new CliError('usage', 'missing: --host, the address of the server')
  const host = originOf(given)
  await warnIfOpen(io, host)
  const clientId = randomUUID()
  const ttl = options['ttlSeconds']
  const body = { client_id: clientId, ...(ttl === undefined ? {} : { ttl_seconds: ttl }) }
  const codes = JSON.parse(
    await sendForText({ host }, requestOf(operations.deviceAuthRequest, { body }), io.signal),
  ) as Codes
  await note(io, `Open ${printable(codes.verification_uri)} and enter ${printable(codes.user_code)}`)
  const grant = await granted(io, { host }, { clientId, codes })
  const server = { host, token: grant.access_token }
  const me = JSON.parse(await sendForText(server, requestOf(operations.currentUserView, {}), io.signal)) as {
    display_name: string
  }
  const { access_token: token, token_id: tokenId, time_expires: expires } = grant
  const profile = { host, token, tokenId, user: me.display_name, expires }
  writeProfiles(io, withProfile(readProfiles(io), name, profile))
  await note(io, `You are signed in as ${printable(me.display_name)}.`)
}

/** Asks for the token until the user has confirmed the code. */
async function granted(
  io: Io,
  server: Server,
  { clientId, codes }: { clientId: string; codes: Codes },
): Promise<Grant> {
  const body = { grant_type: grantType, device_code: codes.device_code, client_id: clientId }
  const until = io.now() + codes.expires_in * 1000
  let seconds = codes.interval
  while (io.now() < until) {
    await io.sleep(seconds * 1000)
    const { status, stream } = await begin(
      server,
      requestOf(operations.deviceAccessToken, { body }),
      io.signal,
    )
    const answer = await text(stream)
    if (status === 200) return JSON.parse(answer) as Grant
    const reason = reasonOf(answer)
    if (reason === 'slow_down') seconds += slowerBySeconds
    else if (reason !== 'authorization_pending') throw refusal(status, answer, reason)
  }
  throw new CliError('timeout', 'The code has expired. Run purlin login again.')
}

function reasonOf(answer: string): string | undefined {
  try {
    return String((JSON.parse(answer) as { error?: unknown }).error)
  } catch {
    return undefined
  }
}

const reasons: Readonly<Record<string, string>> = {
  expired_token: 'The code has expired. Run purlin login again.',
  access_denied: 'The sign-in was refused.',
}
const refusal = (status: number, answer: string, reason: string | undefined): CliError =>
  reasons[reason ?? ''] === undefined
    ? failureOf(status, answer)
    : new CliError('signIn', reasons[reason ?? ''] ?? '')
