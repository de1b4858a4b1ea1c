/** A server's connection to one host. It is made again whenever it breaks, and says at once that the host does not answer. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import {
  DrivenElsewhere,
  SledUnreachable,
  type Clock,
  type Host,
  type Log,
  type VmStatus,
} from '@purlin/core/ports'
import {
  calls,
  epochHeader,
  longestBody,
  portErrors,
  reportLine,
  type AnswerOf,
  type CallName,
  type InputOf,
} from './calls.ts'
import { nameOfHost, tlsOf, type Identity } from './identity.ts'
import { readAll, readLines } from './lines.ts'

export interface ConnectionOptions {
  host: Host
  /** The identity of the server, which changes before it expires. */
  identity: () => Promise<Identity>
  clock: Clock
  log: Pick<Log, 'warn'>
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
const mostMachines = 100_000

/** There is no such machine. */
export class NoConsole extends Error {
  override name = 'NoConsole'
}

const errors = { ...portErrors, NoConsole }

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
    void this.#connect()
  }

  /** Throws SledUnreachable, and the errors of the port that the host answers. */
  async call<N extends CallName>(name: N, input: InputOf<N>, epoch?: number): Promise<AnswerOf<N>> {
    const { input: from, output: to } = calls[name]
    const stream = await this.open(name, epoch)
    return this.within(stream, async () => {
      stream.end(jsonText(encode<unknown>(from, input)))
      await accepted(stream)
      return parse<unknown>(to, await jsonOf(stream)) as AnswerOf<N>
    })
  }

  /** Opens a stream for a call. Throws SledUnreachable. */
  async open(name: string, epoch = 0): Promise<ClientHttp2Stream> {
    await this.#first.promise
    if (!this.#session || !this.#isUp || this.#session.closed) throw this.#silent()
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': `/${name}`,
      [epochHeader]: String(epoch),
    })
    // Errors reach the reader of the stream; some come before there is one, and some after it has left.
    stream.on('error', () => undefined)
    return stream
  }

  /**
   * Waits for an answer, but not for ever. Throws the errors of the port, and SledUnreachable for all else: a host that answers
   * nonsense must not hinder the others.
   */
  async within<T>(stream: ClientHttp2Stream, work: () => Promise<T>): Promise<T> {
    const stop = this.#options.clock.after(callMs, () => stream.destroy(new Error('it takes too long')))
    try {
      return await work()
    } catch (error) {
      stream.destroy()
      throw Object.values(errors).some((known) => error instanceof known) ? error : this.#useless(error)
    } finally {
      stop()
    }
  }

  #useless(error: unknown): SledUnreachable {
    if (this.#isUp)
      this.#options.log.warn(
        { host: this.host.id, error: String(error) },
        'a host gives no answer that can be used',
      )
    return this.#silent(error)
  }

  get isUp(): boolean {
    return this.#isUp
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#session?.destroy()
  }

  #silent(cause?: unknown): SledUnreachable {
    return new SledUnreachable(`the host ${this.host.id} does not answer`, { cause })
  }

  async #connect(): Promise<void> {
    const { host, clock } = this.#options
    const identity = await this.#identity()
    if (this.#isClosed) return
    if (!identity) return this.#again()
    const session = connect(`https://${nameOfHost(host.id)}`, {
      ...tlsOf(identity),
      host: host.address,
      port: host.port,
      servername: nameOfHost(host.id),
    })
    this.#session = session
    const giveUp = clock.after(silentMs, () => session.destroy())
    session.on('error', () => undefined)
    // The host is about to end.
    session.once('goaway', () => session.destroy())
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
    if (wasUp && !this.#isClosed) this.#options.onHardware()
    this.#again()
  }

  #again(): void {
    this.#first.resolve()
    if (!this.#isClosed) this.#cancel = this.#options.clock.after(againMs, () => void this.#connect())
  }

  /** Null, and a line in the log, if none could be made. */
  async #identity(): Promise<Identity | null> {
    const { identity, log, host } = this.#options
    return identity().catch((error: unknown) => {
      log.warn({ host: host.id, error: String(error) }, 'the server could not make its certificate')
      return null
    })
  }

  /** A stopped process keeps its connections open, and answers no pings. */
  #ping(session: ClientHttp2Session): void {
    const { clock } = this.#options
    const giveUp = clock.after(silentMs, () => session.destroy())
    const isSent =
      !session.destroyed &&
      session.ping((error) => {
        giveUp()
        if (error !== null) session.destroy()
        else if (!session.destroyed) this.#cancel = clock.after(pingMs, () => this.#ping(session))
      })
    if (isSent) return
    giveUp()
    session.destroy()
  }

  async #follow(session: ClientHttp2Session): Promise<void> {
    const stream = session.request({ ':method': 'POST', ':path': '/reports' })
    stream.end()
    for await (const { vm, hardware } of readLines(stream, reportLine)) {
      if (vm && this.#isNews(vm)) {
        this.#options.onReport(vm)
        this.#note(vm)
      }
      if (hardware === true) this.#options.onHardware()
    }
    session.destroy()
  }

  /** After a break the host sends the state of all machines again. */
  #isNews(status: VmStatus): boolean {
    const seen = this.#seen.get(keyOf(status))
    return !seen || status.boot > seen.boot || (status.boot === seen.boot && status.seq > seen.seq)
  }

  #note(status: VmStatus): void {
    if (status.state === 'stopped') this.#seen.delete(keyOf(status))
    else this.#seen.set(keyOf(status), { boot: status.boot, seq: status.seq })
    if (this.#seen.size <= mostMachines) return
    this.#seen.clear()
    throw new Error('the host reports more machines than one can have')
  }
}

const keyOf = ({ id, sledId }: VmStatus): string => `${sledId} ${id}`

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
  const { error = '', message = '', epoch } = body as { error?: string; message?: string; epoch?: unknown }
  if (error === DrivenElsewhere.name)
    return new DrivenElsewhere(message, Number.isSafeInteger(epoch) ? Number(epoch) : undefined)
  const known = Object.hasOwn(errors, error) ? errors[error as keyof typeof errors] : undefined
  return known ? new known(message) : new Error(`the host refuses the call: ${message}`)
}
