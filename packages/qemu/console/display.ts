/** The open displays of a machine: each is a connection to the VNC server of QEMU, which draws for each at its pace. */
import type { Socket } from 'node:net'
import type { Clock, ConsoleListener, DisplayStream } from '@purlin/core/ports'
import { connectOwn } from '../qmp/own-socket.ts'

const mostClients = 16
/** Input that QEMU has not read; it reads at once while it runs. */
const mostInput = 4 * 1024 * 1024
/** Within this time it is known whether QEMU has ended, or only this connection. */
const endMs = 2_000

const noScreen = 'the machine has run since before it could have a screen: stop it and start it again'
const unanswered = 'the screen of the machine does not answer'

interface Client {
  socket: Socket
  to: ConsoleListener
  cancel: () => void
}

export class Display {
  #path: () => string
  #clock: Clock
  #clients = new Set<Client>()

  constructor(path: () => string, clock: Clock) {
    this.#path = path
    this.#clock = clock
  }

  /** Connects one more client. */
  open(to: ConsoleListener): DisplayStream {
    if (this.#clients.size >= mostClients) {
      to.closed(`${mostClients} clients have the screen open, which is the limit`)
      return { write: () => undefined, close: () => undefined, setPaused: () => undefined }
    }
    const socket = connectOwn(this.#path())
    const client: Client = { socket, to, cancel: () => undefined }
    this.#clients.add(client)
    socket.on('data', (bytes) => {
      if (this.#clients.has(client)) to.data(bytes)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') this.#end(client, noScreen)
    })
    socket.once('close', () => {
      if (!this.#clients.has(client)) return
      client.cancel = this.#clock.after(endMs, () => this.#end(client, unanswered))
    })
    return {
      write: (bytes) => {
        if (!this.#clients.has(client)) return
        if (socket.writableLength + bytes.length > mostInput) this.#end(client, unanswered)
        else socket.write(bytes)
      },
      close: () => void this.#leave(client),
      setPaused: (isPaused) => void (isPaused ? socket.pause() : socket.resume()),
    }
  }

  closeAll(reason: string): void {
    for (const client of this.#clients) this.#end(client, reason)
  }

  #end(client: Client, reason: string): void {
    if (this.#leave(client)) client.to.closed(reason)
  }

  /** True if the client was there. */
  #leave(client: Client): boolean {
    client.cancel()
    client.socket.destroy()
    return this.#clients.delete(client)
  }
}
