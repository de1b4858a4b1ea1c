/** The protocol by which QEMU is controlled (QMP): lines of JSON over the socket of one machine. */
import type { Socket } from 'node:net'
import type { Clock } from '@purlin/core/ports'
import { connectOwn } from './own-socket.ts'

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

/** QEMU is there, but does not answer in time. It may still do what it was asked. */
export class QmpSilent extends Error {
  override name = 'QmpSilent'
  constructor() {
    super('QEMU does not answer')
  }
}

export interface QmpEvents {
  event(name: string, data: Readonly<Record<string, unknown>>): void
  /** The connection has ended. Called once. */
  end(): void
}

/** A connection to QEMU. */
export interface Qmp {
  /** Runs a command. Throws QmpError, QmpClosed, QmpSilent. */
  run<T>(command: string, args?: object): Promise<T>
  /** Lets another process use the socket. Nothing is read until it has done so. */
  lend(use: (socket: Socket) => Promise<void>): Promise<void>
  close(): void
}

export interface QmpTarget {
  /** of the socket */
  path: string
  clock: Clock
  /** False once the process has ended: then there is no reason to try again. */
  isAlive: () => boolean | Promise<boolean>
  /** Closes the connection, also while it is made. */
  signal?: AbortSignal
  on: QmpEvents
}

const retryMs = 20
/** The longest line. The longest answers list the nodes of all disks. */
const mostBytes = 16 * 1024 * 1024
const mostCommands = 64
/** The longest time to listen, to greet or to answer. A snapshot waits for the disks of the host. */
export const answerMs = 120_000

/** Connects once QEMU listens, which is some time after it has made the socket. Throws QmpClosed, QmpSilent. */
export async function openQmp({ path, clock, isAlive, on, signal }: QmpTarget): Promise<Qmp> {
  const until = clock.now() + answerMs
  for (;;) {
    const socket = await connected(path)
    if (socket) return greet(new Connection(socket, on, clock), signal)
    if (signal?.aborted === true || !(await isAlive())) throw new QmpClosed('QEMU has ended')
    if (clock.now() >= until) throw new QmpSilent()
    await new Promise<void>((done) => void clock.after(retryMs, done))
  }
}

async function greet(connection: Connection, signal: AbortSignal | undefined): Promise<Qmp> {
  signal?.addEventListener('abort', () => connection.close())
  try {
    if (signal?.aborted === true) connection.close()
    await connection.greeting
    await connection.run('qmp_capabilities')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connectOwn(path)
    socket.once('connect', () => done(socket))
    socket.once('error', () => done(undefined))
  })
}

interface Waiting {
  done: (value: unknown) => void
  fail: (error: Error) => void
  /** Ends the wait. */
  cancel: () => void
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
  #clock: Clock

  constructor(socket: Socket, on: QmpEvents, clock: Clock) {
    this.#socket = socket
    this.#on = on
    this.#clock = clock
    // The greeting has no id: it answers command 0.
    this.greeting = this.#answer(0).then(() => {})
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#read(text))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#end('QEMU has ended'))
  }

  run<T>(command: string, args: object = {}): Promise<T> {
    if (!this.#isOpen) return Promise.reject(new QmpClosed('QEMU has ended'))
    if (this.#waiting.size >= mostCommands) return Promise.reject(new QmpSilent())
    const id = ++this.#next
    const answer = this.#answer(id)
    this.#socket.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`)
    return answer as Promise<T>
  }

  async lend(use: (socket: Socket) => Promise<void>): Promise<void> {
    this.#socket.pause()
    try {
      await use(this.#socket)
    } finally {
      this.#socket.resume()
    }
  }

  #answer(id: number): Promise<unknown> {
    return new Promise((done, fail) => {
      const cancel = this.#clock.after(answerMs, () => {
        this.#waiting.delete(id)
        fail(new QmpSilent())
      })
      this.#waiting.set(id, { done, fail, cancel })
    })
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    waiting?.cancel()
    return waiting
  }

  close(): void {
    this.#end('the connection was closed')
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > mostBytes) return this.#end('QEMU has sent a line that is too long')
    for (const line of lines) if (this.#isOpen && line.trim() !== '') this.#hear(line)
  }

  #hear(line: string): void {
    const message = parse(line)
    if (!message) return this.#end('QEMU has sent no JSON')
    if (message.event !== undefined) return this.#on.event(message.event, message.data ?? {})
    const id = message.QMP ? 0 : (message.id ?? -1)
    const waiting = this.#take(id)
    const { error } = message
    if (error) waiting?.fail(new QmpError(error.class ?? 'GenericError', error.desc ?? 'no reason given'))
    else waiting?.done(message.return)
  }

  #end(reason: string): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroy()
    for (const id of this.#waiting.keys()) this.#take(id)?.fail(new QmpClosed(reason))
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
