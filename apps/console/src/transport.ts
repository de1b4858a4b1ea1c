/** How the console reaches a control plane: chosen once, before the first call. */
import type { Transport } from '@purlin/contract/client'

/** A serial console's socket, as both ways of reaching a control plane offer it. */
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

/** A way to a control plane. */
export interface Link {
  send: Transport
  /** Opens the stream at path and query. */
  openSocket(url: string, on: SocketEvents): ConsoleSocket
  /** Set where there is no server: the control plane runs in this page. */
  preview?: { silo: string }
}

let chosen: Link | undefined

export function setLink(link: Link): void {
  chosen = link
}
/** The way that main.tsx chose. */
export function link(): Link {
  if (!chosen) throw new Error('no link to a control plane was chosen')
  return chosen
}

// Chromium passes a text from process to process as a whole, and the page stands still meanwhile; a blob is fetched.
const long = 64 * 1024

/** Over the network, to the server that served this page. */
export const networkLink: Link = {
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
      header: (name) => response.headers.get(name),
      text: () => response.text(),
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
