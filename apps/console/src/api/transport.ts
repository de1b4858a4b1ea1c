/** How the console reaches a control plane: set once, before the first call. */
import { otherUserCode, type Transport } from '@purlin/contract/http'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { noteServerDate } from '#/lib/clock.ts'
import { noting } from './answers.ts'
import { pageUserHeader, sessionProblem } from './session.ts'

/** The socket of a serial console. Every transport offers it. */
export interface ConsoleSocket {
  send(data: Uint8Array): void
  close(): void
}
export interface SocketEvents {
  open(): void
  /** Output; an empty piece is the end of earlier output, which comes first. */
  data(bytes: Uint8Array): void
  /** `reason` is the server's own, or empty. `error`: it failed rather than ended. */
  closed(end: { reason: string; error: boolean }): void
}

/** How a request for events is answered: its text while it comes, or why there is none. */
export interface EventsAnswer {
  status: number
  text: AsyncIterable<string> | null
  message: string
}

/** How a request for a file is answered: the file, or the text of an error. */
export interface FileAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  file: Blob
}

/** Carries requests and serial consoles to a control plane. */
export interface ConsoleTransport {
  send: Transport
  /** Opens the stream at path and query. */
  openSocket(url: string, on: SocketEvents): ConsoleSocket
  /** Opens the stream of events at path and query; absent where there is none. */
  openEvents?: (url: string, how: { lastEventId: string; signal: AbortSignal }) => Promise<EventsAnswer>
  /** Reads the file at path and query. */
  readFile?: (url: string) => Promise<FileAnswer>
  /** Set where there is no server: the control plane runs in this page. */
  preview?: { silo: string }
}

let current: ConsoleTransport | undefined

export function setTransport(transport: ConsoleTransport): void {
  current = { ...transport, send: noting(transport.send) }
}
/** The transport that main.tsx has set. Throws before that. */
export function transport(): ConsoleTransport {
  if (!current) throw new Error('setTransport was not called')
  return current
}

// Chromium copies a long string between processes in one piece, which blocks the page; a blob it reads in parts.
const long = 64 * 1024

const message = 'another user has signed in'
const otherUser = JSON.stringify({ error_code: otherUserCode, message })
/**
 * True if a request must wait until the user has decided about the sign-in of another user. Signing in is the
 * decision, and reading the user of the session detects a decision in another tab.
 */
const isHeld = (url: string): boolean =>
  sessionProblem() === 'otherUser' && !url.startsWith('/v1/login/') && url !== currentUserView.path

interface OwnRequest extends Omit<RequestInit, 'headers'> {
  headers?: Readonly<Record<string, string>>
}
/** Sends a request with the session, as the user of the page. */
const fetchAs = (url: string, { headers, ...request }: OwnRequest) =>
  fetch(url, { ...request, headers: { ...headers, ...pageUserHeader() }, credentials: 'same-origin' })

/** Over the network, to the server that served this page. */
export const networkTransport: ConsoleTransport = {
  send: async ({ method, url, headers, body, signal }) => {
    if (isHeld(url)) return { status: 409, headers: {}, body: otherUser }
    const response = await fetchAs(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: body.length > long ? new Blob([body]) : body }),
      ...(signal instanceof AbortSignal ? { signal } : {}),
    })
    noteServerDate(response.headers.get('date'))
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  },
  async readFile(url) {
    if (isHeld(url)) return { status: 409, headers: {}, file: new Blob([otherUser]) }
    const response = await fetchAs(url, {})
    const headers = Object.fromEntries(response.headers)
    return { status: response.status, headers, file: await response.blob() }
  },
  async openEvents(url, { lastEventId, signal }) {
    if (isHeld(url)) return { status: 409, text: null, message }
    const response = await fetchAs(url, { headers: { 'last-event-id': lastEventId }, signal })
    const { status, body } = response
    if (status === 200 && body) return { status, text: textIn(body), message: '' }
    return { status, text: null, message: messageIn(await response.text()) }
  },
  openSocket(url, on) {
    if (isHeld(url)) {
      queueMicrotask(() => on.closed({ reason: message, error: false }))
      return { send: () => undefined, close: () => undefined }
    }
    const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${window.location.host}${url}`)
    socket.binaryType = 'arraybuffer'
    let failed = false
    socket.addEventListener('open', () => on.open())
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) =>
      on.data(typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data)),
    )
    socket.addEventListener('error', () => (failed = true))
    socket.addEventListener('close', (event) =>
      on.closed({ reason: event.reason, error: failed || event.code === 1011 }),
    )
    return { send: (data) => socket.send(data as Uint8Array<ArrayBuffer>), close: () => socket.close() }
  },
}

async function* textIn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let one = await reader.read(); !one.done; one = await reader.read()) yield one.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** The message of an error's envelope; empty for anything else. */
export function messageIn(text: string | null): string {
  try {
    const { message } = JSON.parse(text ?? '') as { message?: unknown }
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}
