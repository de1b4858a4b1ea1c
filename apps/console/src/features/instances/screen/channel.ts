/** The connection to a screen as noVNC expects one: like a WebSocket that is open already. */
export class Channel {
  readonly protocol = ''
  readonly readyState = 'open'
  binaryType = 'arraybuffer'
  onerror: unknown = null
  onopen: unknown = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null
  /** noVNC listens a moment after it was made. */
  #early: Uint8Array[] = []
  #listener: ((event: { data: ArrayBuffer }) => void) | null = null
  #type: (bytes: Uint8Array) => void

  constructor(type: (bytes: Uint8Array) => void) {
    this.#type = type
  }

  get onmessage() {
    return this.#listener
  }

  set onmessage(listener: ((event: { data: ArrayBuffer }) => void) | null) {
    this.#listener = listener
    // Its greeting must not come before it is ready for one.
    queueMicrotask(() => {
      for (const bytes of this.#early.splice(0)) this.receive(bytes)
    })
  }

  receive(bytes: Uint8Array): void {
    if (this.#listener) this.#listener({ data: Uint8Array.from(bytes).buffer })
    else this.#early.push(bytes)
  }

  /** The bytes lie in a buffer that is used again. */
  send(bytes: Uint8Array): void {
    this.#type(Uint8Array.from(bytes))
  }

  /** noVNC waits to hear that it is closed. */
  close(): void {
    this.#listener = null
    queueMicrotask(() => this.onclose?.({ code: 1000, reason: '' }))
  }
}
