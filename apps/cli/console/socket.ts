/** The WebSocket of a command. */
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebSocket, type RawData } from 'ws'
import { requestOf } from '@purlin/contract/commands/request'
import type { Run } from '../commands/operation.ts'
import { failureOf } from '../errors.ts'
import { headersFor } from '../http/send.ts'

export function socketOf({ op, args, server }: Run, query = args.query): WebSocket {
  const url = new URL(requestOf(op, { ...args, ...(query ? { query } : {}) }).url, server.host)
  url.protocol = url.protocol.replace('http', 'ws')
  return new WebSocket(url, { headers: headersFor(server), perMessageDeflate: false })
}

export const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data

/** Why the server did not open it. */
export const refusal = async (response: IncomingMessage): Promise<Error> =>
  failureOf(response.statusCode ?? 0, await text(response))
