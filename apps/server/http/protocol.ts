/** The requirements of HTTP itself for a request, checked first. */
import type { IncomingMessage } from 'node:http'
import { envelope, type Reply } from './reply.ts'

/** A name or address, in brackets if it is IPv6, and perhaps a port (RFC 3986, section 3.2.2). */
const host = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\d.:a-fv]+\])(?::\d{0,5})?$/i

/** True for the value of a Host header. */
export const isHost = (text: string): boolean => host.test(text)

/** The refusal of a request that breaks RFC 9110 or RFC 9112, or undefined. The connection ends with it. */
export function protocolRefusal(message: IncomingMessage): Reply | undefined {
  const { httpVersion, headers } = message
  const hosts = valuesOf(message, 'host')
  const [sent] = hosts
  // RFC 9112, section 3.2
  if (sent === undefined && httpVersion === '1.1') return envelope(400, 'request missing "host" header')
  if (hosts.length > 1) return envelope(400, 'request has more than one "host" header')
  if (sent !== undefined && !isHost(sent)) return envelope(400, 'the "host" header is malformed')
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  // RFC 9112, section 6.1
  if (httpVersion === '1.0') return envelope(400, 'HTTP/1.0 has no transfer codings')
  if (coding.toLowerCase() !== 'chunked') return envelope(501, 'the only known transfer coding is "chunked"')
  return undefined
}

/** The refusal of an expectation other than `100-continue` (RFC 9110, section 10.1.1). */
export const expectationRefusal = (): Reply =>
  envelope(417, 'the only expectation that can be met is "100-continue"')

/** Every value of a header; Node keeps only the first of some. */
const valuesOf = ({ rawHeaders }: IncomingMessage, name: string): string[] =>
  rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
