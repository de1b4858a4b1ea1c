/** The protocol by which QEMU is controlled (QMP): lines of JSON over the socket of one machine. */
import { connect, type Socket } from 'node:net'
import type { Clock } from '@purlin/core/ports'

/** QEMU refused a command. `kind` is the class of the error. */
export class QmpError extends Error {
  override name = 'QmpError'
  readonly kind: string
  constructor(kind: string, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The connection has ended, or there is none: QEMU has ended, or speaks another protocol. */
export class QmpClosed extends Error {
  override name = 'QmpClosed'
}

export interface QmpEvents {
  event(name: string, data: Readonly<Record<string, unknown>>): void
  /** The connection has ended. Called once. */
  end(): void
}

/** A connection to QEMU. */
export interface Qmp {
  /** Runs a command. Throws QmpError, QmpClosed. */
  run<T>(command: string, args?: object): Promise<T>
  close(): void
}

export interface QmpTarget {
  /** of the socket */
  path: string
  clock: Clock
  /** False once the process has ended: then there is no reason to try again. */
  isAlive: () => boolean
  on: QmpEvents
}

const retryMs = 20
/** The longest line. The longest answers list the nodes of all disks. */
const mostBytes = 16 * 1024 * 1024
const mostCommands = 64

/** Connects once QEMU listens, which is some time after it has made the socket. Throws QmpClosed. */
export async function openQmp({ path, clock, isAlive, on }: QmpTarget): Promise<Qmp> {
  for (;;) {
    const socket = await connected(path)
    if (socket) return greet(new Connection(socket, on))
    if (!isAlive()) throw new QmpClosed('QEMU has ended')
    await new Promise<void>((done) => void clock.after(retryMs, done))
  }
}

async function greet(connection: Connection): Promise<Qmp> {
  await connection.greeting
  await connection.run('qmp_capabilities')
  return connection
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(socket))
    socket.once('error', () => done(undefined))
  })
}

interface Waiting {
  done: (value: unknown) => void
  fail: (error: Error) => void
}

interface Message {
  QMP?: object
  event?: string
  data?: Record<string, unknown>
  id?: number
  return?: unknown
  error?: { class?: string; desc?: string }
}

class Connection implements Qmp {
  readonly greeting: Promise<void>
  #socket: Socket
  #on: QmpEvents
  #rest = ''
  #next = 0
  #waiting = new Map<number, Waiting>()
  #isOpen = true

  constructor(socket: Socket, on: QmpEvents) {
    this.#socket = socket
    this.#on = on
    // The greeting has no id: it answers command 0.
    this.greeting = new Promise<unknown>((done, fail) => this.#waiting.set(0, { done, fail })).then(() => {})
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#read(text))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#end('QEMU has ended'))
  }

  run<T>(command: string, args: object = {}): Promise<T> {
    if (!this.#isOpen) return Promise.reject(new QmpClosed('QEMU has ended'))
    if (this.#waiting.size >= mostCommands) return Promise.reject(new QmpClosed('QEMU does not answer'))
    const id = ++this.#next
    return new Promise<T>((done, fail) => {
      this.#waiting.set(id, { done: (value) => done(value as T), fail })
      this.#socket.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`)
    })
  }

  close(): void {
    this.#end('the connection was closed')
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > mostBytes) return this.#end('QEMU has sent a line that is too long')
    for (const line of lines) if (this.#isOpen && line.trim() !== '') this.#take(line)
  }

  #take(line: string): void {
    const message = parse(line)
    if (!message) return this.#end('QEMU has sent no JSON')
    if (message.event !== undefined) return this.#on.event(message.event, message.data ?? {})
    const id = message.QMP ? 0 : (message.id ?? -1)
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    const { error } = message
    if (error) waiting?.fail(new QmpError(error.class ?? 'GenericError', error.desc ?? 'no reason given'))
    else waiting?.done(message.return)
  }

  #end(reason: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroy()
    for (const { fail } of this.#waiting.values()) fail(new QmpClosed(reason))
    this.#waiting.clear()
    this.#on.end()
  }
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
