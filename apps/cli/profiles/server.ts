/** The server that a command is sent to: of variables, of a profile, or none. */
import { CliError } from '../errors.ts'
import type { Server } from '../http/send.ts'
import { note, type Io } from '../io.ts'
import { readProfiles } from './store.ts'

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The origin of a server; `https` unless given. Throws CliError for anything else. */
export function originOf(text: string): string {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`)
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/')
    throw new CliError('usage', `expected the address of a server, such as https://cloud.example.org`)
  return url.origin
}

/** Warns if requests to a server can be read on their way. */
export async function warnIfOpen(io: Io, host: string): Promise<void> {
  const { protocol, hostname } = new URL(host)
  if (protocol === 'http:' && !loopback.test(hostname))
    await note(io, `Warning: ${host} is not encrypted. Others can read your token on its way.`)
}

/**
 * The server of a command. `PURLIN_HOST` and `PURLIN_TOKEN` come first: a token is never sent to a server that it was
 * not made for. Throws CliError without any.
 */
export async function serverFor(io: Io, profile: string | undefined): Promise<Server> {
  const server =
    profile === undefined ? (ofVariables(io) ?? ofProfile(io, undefined)) : ofProfile(io, profile)
  await warnIfOpen(io, server.host)
  return server
}

function ofVariables({ env }: Io): Server | undefined {
  const { PURLIN_HOST: host, PURLIN_TOKEN: token } = env
  if (token && !host) throw new CliError('usage', 'PURLIN_TOKEN needs PURLIN_HOST, the server of the token')
  return host ? { host: originOf(host), token: token || undefined } : undefined
}

function ofProfile(io: Io, name: string | undefined): Server {
  const { current, profiles } = readProfiles(io)
  const chosen = name ?? current
  const found = chosen === null ? undefined : profiles[chosen]
  if (found) return { host: found.host, token: found.token }
  if (name !== undefined) throw new CliError('usage', `no profile ${name}: run purlin profile list`)
  throw new CliError('signIn', 'No server is chosen. Run purlin login, or set PURLIN_HOST and PURLIN_TOKEN.')
}
