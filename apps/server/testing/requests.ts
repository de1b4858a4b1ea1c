/** Requests to a server under test: any request, bytes as they are, and a client that is signed in. */
import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, createClient } from '@purlin/contract/client'
import type { Transport } from '@purlin/contract/http'
import { operations, type Operations } from '@purlin/contract/operations'
import { admin } from './process.ts'

export interface Ask {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
  /** keeps connections; by default each request opens a new one */
  agent?: Agent | false
  /** The address that the request comes from: on Linux any of 127.0.0.0/8. */
  from?: string
  /** With TLS: the requested host name, and the trusted certificate; by default any. */
  tls?: { servername: string; ca?: string }
}
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** The answer to a request, whose body has not been read. Rejects if the connection fails before. */
export const responseTo = (message: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => message.once('response', resolve).once('error', reject))

/** Sends a request as it is. Throws if there is no answer. */
export async function ask(url: string, path: string, how: Ask = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, agent = false, from, tls } = how
  const { hostname, port } = new URL(url)
  const to = { host: hostname, port, path, method, headers, agent }
  const at = from === undefined ? to : { ...to, localAddress: from }
  const message = tls
    ? secureRequest({ ...at, ...tls, rejectUnauthorized: tls.ca !== undefined, agent: false })
    : request(at)
  message.end(body)
  const response = await responseTo(message)
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}

/** A connection that bytes are sent on as they are. */
export interface RawSocket {
  socket: Socket
  /** what the server has sent so far */
  said: () => string
  /** resolves to all that the server has sent once the connection is closed, however that happens */
  ended: Promise<string>
}

/** Opens a connection, from another address if one is given. */
export function openSocket(url: string, from?: string): RawSocket {
  const { hostname, port } = new URL(url)
  const to = { host: hostname, port: Number(port) }
  const socket = connect(from === undefined ? to : { ...to, localAddress: from })
  let said = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (said += chunk))
  // A connection that breaks has ended, too.
  socket.on('error', () => undefined)
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  socket.once('close', () => resolve(said))
  return { socket, said: () => said, ended }
}

/** Sends bytes as they are and reads until the server closes. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { socket, ended } = openSocket(url)
  socket.write(bytes)
  return ended
}

export type Api = Client<Operations>

/** A client that sends a session's cookie. */
export const clientOf = (url: string, cookie: string): Api =>
  createClient(operations, transportTo(url, { cookie }))

/** Sends the cookie of `session`, and keeps in it the one that it is given. */
const transportTo =
  (base: string, session: { cookie: string }): Transport =>
  async ({ method, url, headers, body }) => {
    const response = await fetch(base + url, {
      method,
      headers: { ...headers, cookie: session.cookie },
      ...(body ? { body } : {}),
    })
    session.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? session.cookie
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }

/** Signs in and returns the session's cookie and a client that sends it. */
export async function signIn(
  url: string,
  { silo, user, password }: { silo: string; user: string; password: string } = admin,
): Promise<{ cookie: string; api: Api }> {
  const session = { cookie: '' }
  const api = createClient(operations, transportTo(url, session))
  await api.loginLocal({ params: { siloName: silo }, body: { username: user, password } })
  return { cookie: session.cookie, api }
}

/** One attempt to sign in, with any outcome; `cookie` is the browser's earlier cookie. */
export const trySignIn = (
  url: string,
  { silo, user, password }: typeof admin,
  { from, cookie }: { from?: string; cookie?: string } = {},
): Promise<Answer> =>
  ask(url, `/v1/login/${silo}/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
    body: JSON.stringify({ username: user, password }),
    ...(from === undefined ? {} : { from }),
  })
