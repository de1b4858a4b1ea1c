/** How the console reaches a control plane: set once, before the first call. */
import type { Transport } from '@purlin/contract/http'

/** The socket of a serial console. Every transport offers it. */
export interface ConsoleSocket {
  send(data: Uint8Array): void
  close(): void
}
export interface SocketEvents {
  open(): void
  data(bytes: Uint8Array): void
  /** `reason` is the server's own, or empty. `error`: it failed rather than ended. */
  closed(end: { reason: string; error: boolean }): void
}

/** Carries requests and serial consoles to a control plane. */
export interface ConsoleTransport {
  send: Transport
  /** Opens the stream at path and query. */
  openSocket(url: string, on: SocketEvents): ConsoleSocket
  /** Set where there is no server: the control plane runs in this page. */
  preview?: { silo: string }
}

let current: ConsoleTransport | undefined

export function setTransport(transport: ConsoleTransport): void {
  current = transport
}
/** The transport that main.tsx has set. Throws before that. */
export function transport(): ConsoleTransport {
  if (!current) throw new Error('setTransport was not called')
  return current
}

// Chromium copies a long string between processes in one piece, which blocks the page; a blob it reads in parts.
const long = 64 * 1024

/** Over the network, to the server that served this page. */
export const networkTransport: ConsoleTransport = {
  send: async ({ method, url, headers, body, signal }) => {
    const response = await fetch(url, {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: body.length > long ? new Blob([body]) : body }),
      ...(signal instanceof AbortSignal ? { signal } : {}),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  },
  openSocket(url, on) {
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
