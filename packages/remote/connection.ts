/** A server's connection to one host. It is made again whenever it breaks, and says at once that the host does not answer. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import {
  SledUnreachable,
  SwitchRefused,
  SwitchUnreachable,
  type Clock,
  type VmStatus,
} from '@purlin/core/ports'
import { calls, longestBody, reportLine, type AnswerOf, type CallName, type InputOf } from './calls.ts'
import { nameOfHost, tlsOf, type Identity } from './identity.ts'
import { readAll, readLines } from './lines.ts'

/** A host and where it listens. */
export interface Host {
  id: string
  address: string
  port: number
}

export interface ConnectionOptions {
  host: Host
  identity: Identity
  clock: Clock
  /** A report that is newer than those before. */
  onReport: (status: VmStatus) => void
  /** The hardware has changed, or the host has begun or ceased to answer. */
  onHardware: () => void
}

/** A host that is silent for longer does not answer. */
const silentMs = 3_000
const pingMs = 1_000
const againMs = 500
const callMs = 30_000

/** There is no such machine. */
export class NoConsole extends Error {
  override name = 'NoConsole'
}

const errors = { SledUnreachable, SwitchUnreachable, SwitchRefused, NoConsole }

export class HostConnection {
  readonly host: Host
  #options: ConnectionOptions
  #session: ClientHttp2Session | undefined
  /** Resolves when the first attempt to connect has ended. */
  #first = Promise.withResolvers<void>()
  #isUp = false
  #isClosed = false
  #cancel = () => {}
  /** The newest reports, by machine. */
  #seen = new Map<string, { boot: number; seq: number }>()

  constructor(options: ConnectionOptions) {
    this.host = options.host
    this.#options = options
    this.#connect()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Throws SledUnreachable, and the errors of the port that the host answers. */
  async call<N extends CallName>(name: N, input: InputOf<N>): Promise<AnswerOf<N>> {
    const { input: from, output: to } = calls[name]
    const stream = await this.open(name)
    const stop = this.#options.clock.after(callMs, () => stream.destroy(this.#silent()))
    try {
      stream.end(jsonText(encode<unknown>(from, input)))
      await accepted(stream)
      return parse<unknown>(to, await jsonOf(stream)) as AnswerOf<N>
    } catch (error) {
      throw this.#isUp && !isOfStream(error) ? error : this.#silent(error)
    } finally {
      stop()
    }
  }

  /** Opens a stream for a call. Throws SledUnreachable. */
  async open(name: string): Promise<ClientHttp2Stream> {
    await this.#first.promise
    if (!this.#session || !this.#isUp) throw this.#silent()
    return this.#session.request({ ':method': 'POST', ':path': `/${name}` })
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#session?.destroy()
  }

  #silent(cause?: unknown): SledUnreachable {
    return new SledUnreachable(`the host ${this.host.id} does not answer`, { cause })
  }

  #connect(): void {
    const { host, identity, clock } = this.#options
    const session = connect(`https://${nameOfHost(host.id)}`, {
      ...tlsOf(identity),
      host: host.address,
      port: host.port,
      servername: nameOfHost(host.id),
    })
    this.#session = session
    const giveUp = clock.after(silentMs, () => session.destroy())
    session.on('error', () => undefined)
    session.once('connect', () => {
      giveUp()
      this.#isUp = true
      this.#follow(session).catch(() => session.destroy())
      this.#first.resolve()
      this.#options.onHardware()
      this.#ping(session)
    })
    session.once('close', () => {
      giveUp()
      this.#down(session)
    })
  }

  #down(session: ClientHttp2Session): void {
    if (this.#session !== session) return
    const wasUp = this.#isUp
    this.#isUp = false
    this.#cancel()
    this.#first.resolve()
    if (wasUp && !this.#isClosed) this.#options.onHardware()
    if (!this.#isClosed) this.#cancel = this.#options.clock.after(againMs, () => this.#connect())
  }

  /** A stopped process keeps its connections open, and answers no pings. */
  #ping(session: ClientHttp2Session): void {
    const { clock } = this.#options
    const giveUp = clock.after(silentMs, () => session.destroy())
    const isSent =
      !session.destroyed &&
      session.ping((error) => {
        giveUp()
        if (error === null && !session.destroyed)
          this.#cancel = clock.after(pingMs, () => this.#ping(session))
      })
    if (!isSent) giveUp()
  }

  async #follow(session: ClientHttp2Session): Promise<void> {
    const stream = session.request({ ':method': 'POST', ':path': '/reports' })
    stream.end()
    for await (const { vm, hardware } of readLines(stream, reportLine)) {
      if (vm && this.#isNews(vm)) this.#options.onReport(vm)
      if (hardware === true) this.#options.onHardware()
    }
    session.destroy()
  }

  /** After a break the host sends the state of all machines again. */
  #isNews({ id, sledId, boot, seq, state }: VmStatus): boolean {
    const key = `${sledId} ${id}`
    const seen = this.#seen.get(key)
    if (seen && (seen.boot > boot || (seen.boot === boot && seen.seq >= seq))) return false
    if (state === 'stopped') this.#seen.delete(key)
    else this.#seen.set(key, { boot, seq })
    return true
  }
}

/** Resolves once the host answers with success. Throws what it answers otherwise, or if the stream ends without an answer. */
export async function accepted(stream: ClientHttp2Stream): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  stream.once('response', (headers) => resolve(headers[':status'] ?? 0))
  stream.once('error', reject)
  stream.once('close', () => reject(new Error('the stream has ended')))
  if ((await promise) !== 200) throw errorOf(await jsonOf(stream))
}

const jsonOf = async (stream: ClientHttp2Stream): Promise<unknown> =>
  JSON.parse((await readAll(stream, longestBody)).toString('utf8'))

function errorOf(body: unknown): Error {
  const { error = '', message = '' } = body as { error?: string; message?: string }
  const known = Object.hasOwn(errors, error) ? errors[error as keyof typeof errors] : undefined
  return known ? new known(message) : new Error(`the host refuses the call: ${message}`)
}

const isOfStream = (error: unknown): boolean =>
  error instanceof Error && ('code' in error || error.message === 'the stream has ended')
