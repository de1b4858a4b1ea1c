/**
 * The open consoles of a machine. Output comes from the log, so each reader goes at its pace; input goes to QEMU, by a connection for
 * as long as it takes: while one is open, QEMU gives it the output as well, and logs a byte twice that it has no room for.
 */
import { once } from 'node:events'
import { watch, type FSWatcher } from 'node:fs'
import type { Socket } from 'node:net'
import type { ConsoleListener, ConsoleStart, ConsoleStream } from '@purlin/core/ports'
import { connectOwn } from '../qmp/own-socket.ts'
import { lengthOf, readLog, skipDropped, startOfLast } from './console-log.ts'

/** Input that the guest does not read is dropped. */
const mostInput = 64 * 1024

interface Reader {
  to: ConsoleListener
  offset: number
  isOpen: boolean
  /** The log may have more than was read. */
  hasMore: boolean
  reading: Promise<void> | undefined
}

export class Serial {
  #log: string
  #path: () => string
  #readers = new Set<Reader>()
  #watcher: FSWatcher | undefined
  #input: Uint8Array[] = []
  /** Bytes that QEMU has not read. */
  #pending = 0
  #socket: Socket | undefined

  constructor(files: { log: string; socket: () => string }) {
    this.#log = files.log
    this.#path = files.socket
  }

  /** Gives the output from `start` on, then follows. */
  async open(start: ConsoleStart, to: ConsoleListener): Promise<ConsoleStream> {
    this.#begin()
    const total = await lengthOf(this.#log)
    const offset = 'from' in start ? Math.min(start.from, total) : startOfLast(start.last, total)
    const reader: Reader = { to, offset, isOpen: true, hasMore: false, reading: undefined }
    this.#readers.add(reader)
    await this.#follow(reader)
    return {
      write: (bytes) => {
        if (reader.isOpen) this.#type(bytes)
      },
      close: () => this.#leave(reader),
    }
  }

  /** Ends all consoles, after the last output. */
  async closeAll(reason: string): Promise<void> {
    this.#input = []
    this.#socket?.destroy()
    const readers = [...this.#readers]
    await Promise.all(readers.map((reader) => this.#follow(reader)))
    for (const reader of readers) {
      const wasOpen = reader.isOpen
      this.#leave(reader)
      if (wasOpen) reader.to.closed(reason, reader.offset)
    }
  }

  #begin(): void {
    if (this.#watcher) return
    this.#watcher = watch(this.#log, () => {
      for (const reader of this.#readers) void this.#follow(reader)
    })
    this.#watcher.on('error', () => undefined)
  }

  #leave(reader: Reader): void {
    reader.isOpen = false
    this.#readers.delete(reader)
    if (this.#readers.size > 0) return
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #type(bytes: Uint8Array): void {
    if (this.#pending + bytes.length > mostInput) return
    this.#pending += bytes.length
    this.#input.push(bytes)
    if (!this.#socket) void this.#send()
  }

  /** Sends what was typed. QEMU closes a connection that has ended once the guest has taken all of its bytes. */
  async #send(): Promise<void> {
    while (this.#input.length > 0) {
      const bytes = Buffer.concat(this.#input.splice(0))
      this.#socket = connectOwn(this.#path()).resume()
      const closed = once(this.#socket, 'close')
      this.#socket.on('error', () => undefined).end(bytes)
      await closed.catch(() => undefined)
      this.#pending -= bytes.length
    }
    this.#socket = undefined
  }

  /** One read at a time for each reader, in order, however often the log has changed since it began. */
  #follow(reader: Reader): Promise<void> {
    reader.hasMore = true
    reader.reading ??= this.#catchUp(reader).finally(() => (reader.reading = undefined))
    return reader.reading
  }

  async #catchUp(reader: Reader): Promise<void> {
    while (reader.hasMore) {
      reader.hasMore = false
      await this.#read(reader).catch(() => undefined)
    }
  }

  async #read(reader: Reader): Promise<void> {
    while (reader.isOpen) {
      reader.offset = skipDropped(reader.offset, await lengthOf(this.#log))
      const bytes = await readLog(this.#log, reader.offset)
      if (bytes.length === 0 || !reader.isOpen) return
      reader.offset += bytes.length
      reader.to.data(bytes)
    }
  }
}
