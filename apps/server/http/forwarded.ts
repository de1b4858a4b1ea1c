/**
 * The headers in which our own proxy says how a request has reached it. The proxy adds the last entry of each; the
 * client may have sent those before it. A value that is not understood never counts in favour of the client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { parseIp } from '@purlin/contract/rules/network/ip'
import { isHost } from './protocol.ts'

/** The values from a proxy; undefined without one, or if it cannot be parsed. */
export interface Forwarded {
  address: string | undefined
  host: string | undefined
  isSecure: boolean | undefined
}

/** Is called with a header that is not understood. */
export type OnMisread = (fields: { header: string; value: string }) => void

const longestLogged = 100

/** Reads the headers of a proxy. */
export function forwardedOf(headers: IncomingHttpHeaders, onMisread: OnMisread): Forwarded {
  function read<T>(
    header: string,
    understand: (entry: string) => T | undefined,
    otherwise?: T,
  ): T | undefined {
    const value = (headers[header] as string | undefined)?.trim() ?? ''
    if (value === '') return undefined
    // Empty entries of a list are ignored (RFC 9110, section 5.6.1).
    const entries = value.split(',').map((entry) => entry.trim())
    const understood = understand(entries.findLast((entry) => entry !== '') ?? '')
    if (understood === undefined) onMisread({ header, value: value.slice(0, longestLogged) })
    return understood ?? otherwise
  }
  return {
    address: read('x-forwarded-for', addressIn),
    host: read('x-forwarded-host', (entry) => (isHost(entry) ? entry : undefined)),
    // Cookies must not lose the protection of TLS to a misspelt header.
    isSecure: read('x-forwarded-proto', (entry) => schemes.get(entry.toLowerCase()), true),
  }
}

const withBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/
const withPort = /^([^:]*):\d{1,5}$/

/** The address in an entry that may have a port and brackets. A port belongs to a connection, not to a client. */
function addressIn(entry: string): string | undefined {
  const address = withBrackets.exec(entry)?.[1] ?? withPort.exec(entry)?.[1] ?? entry
  return parseIp(address, { zone: true }) ? address : undefined
}

// Some proxies name the scheme of a WebSocket.
const schemes = new Map([
  ['http', false],
  ['ws', false],
  ['https', true],
  ['wss', true],
])
