/** The streams that a host serves: reports, consoles and diagnostics. */
import { once } from 'node:events'
import type { ServerHttp2Stream } from 'node:http2'
import { parse } from '@purlin/core/http/validate'
import {
  SledUnreachable,
  type ConsoleListener,
  type ConsoleStream,
  type DisplayStream,
  type SledDriver,
  type VmStatus,
} from '@purlin/core/ports'
import {
  consoleRequest,
  consoleTrailers,
  diagnosticLine,
  displayRequest,
  longestLine,
  reportLine,
} from './calls.ts'
import { writeLine } from './lines.ts'

/** Reports that wait for a reader. One that is further behind is cut off, and gets the state of all machines when it is back. */
const mostWaiting = 10_000
const pieceBytes = 256 * 1024

/** Sends the state of every machine, then each report as it comes, until the reader is gone. */
export async function serveReports(stream: ServerHttp2Stream, driver: SledDriver): Promise<void> {
  const waiting: { vm?: VmStatus; hardware?: true }[] = []
  let wake = () => {}
  const add = (line: (typeof waiting)[number]) => {
    waiting.push(line)
    if (waiting.length > mostWaiting) stream.destroy()
    wake()
  }
  const endings = [driver.watch((vm) => add({ vm })), driver.watchHardware(() => add({ hardware: true }))]
  const { promise: isGone, resolve: gone } = Promise.withResolvers<void>()
  stream.once('close', gone)
  try {
    stream.respond({ ':status': 200 })
    for await (const vm of stateOf(driver)) await writeLine(stream, reportLine, { vm })
    while (!stream.destroyed) {
      const more = new Promise<void>((resolve) => (wake = resolve))
      for (let line = waiting.shift(); line; line = waiting.shift()) await writeLine(stream, reportLine, line)
      if (!stream.destroyed) await Promise.race([more, isGone])
    }
  } finally {
    for (const end of endings) end()
  }
}

async function* stateOf(driver: SledDriver): AsyncGenerator<VmStatus> {
  for (const { id: sledId } of (await driver.hardware()).sleds)
    for (const { id } of await answered(driver.machines(sledId), [])) {
      const status = await answered(driver.inspect(id, sledId), null)
      if (status) yield status
    }
}

/** The answer of a sled, or another value for one that is silent: its state arrives with its reports. */
const answered = <T>(answer: Promise<T>, otherwise: T): Promise<T> =>
  answer.catch((error: unknown) => {
    if (error instanceof SledUnreachable) return otherwise
    throw error
  })

/** Output that waits for the reader of a console. One that is further behind is cut off. */
const mostUnread = 8 * 1024 * 1024

/** Serves a console. */
export const serveConsole = (stream: ServerHttp2Stream, driver: SledDriver): Promise<void> =>
  serveLive(stream, (request, to) => {
    const { history, from, ...at } = parse(consoleRequest, request)
    return driver.openConsole(at, from === undefined ? { last: history ?? Infinity } : { from }, to)
  })

/** Serves a display, at the speed of its reader. */
export const serveDisplay = (stream: ServerHttp2Stream, driver: SledDriver): Promise<void> =>
  serveLive(stream, (request, to) => driver.openDisplay(parse(displayRequest, request), to))

type OpenLive = (request: unknown, to: ConsoleListener) => Promise<ConsoleStream | DisplayStream | null>

/** The first line says which console; after it come the bytes that are typed. The answer is its output, and why it ended. */
async function serveLive(stream: ServerHttp2Stream, open: OpenLive): Promise<void> {
  const { request, rest } = await firstLine(stream)
  let reason = 'the host closed the console'
  let end: number | undefined
  stream.once('wantTrailers', () =>
    stream.sendTrailers({
      [consoleTrailers.reason]: encodeURIComponent(reason),
      ...(end === undefined ? {} : { [consoleTrailers.end]: String(end) }),
    }),
  )
  // Until the answer has begun, what the guest writes waits.
  let early: Uint8Array[] | null = []
  let waiting = 0
  let hasEnded = false
  const opened = await open(JSON.parse(request), {
    data: (bytes) => {
      waiting += early ? bytes.length : 0
      if (stream.destroyed || Math.max(waiting, stream.writableLength) > mostUnread) stream.destroy()
      else if (early) early.push(bytes)
      else if (!stream.write(bytes)) hold(opened)
    },
    closed: (why, at) => {
      reason = why
      end = at
      hasEnded = true
      if (!early) stream.end()
    },
  })
  if (stream.destroyed) return opened?.close()
  if (!opened) {
    stream.respond({ ':status': 404 })
    return void stream.end(JSON.stringify({ error: 'NoConsole', message: reason }))
  }
  stream.once('close', () => opened.close())
  stream.on('drain', () => {
    if ('setPaused' in opened) opened.setPaused(false)
  })
  stream.respond({ ':status': 200 }, { waitForTrailers: true })
  for (const bytes of early) stream.write(bytes)
  early = null
  waiting = 0
  if (hasEnded) return void stream.end()
  if (rest.length > 0) opened.write(rest)
  stream.on('data', (bytes: Buffer) => opened.write(bytes))
  stream.resume()
}

/** Waits for the reader, if the stream can. */
function hold(stream: ConsoleStream | DisplayStream | null): void {
  if (stream && 'setPaused' in stream) stream.setPaused(true)
}

async function firstLine(stream: ServerHttp2Stream): Promise<{ request: string; rest: Buffer }> {
  let read = Buffer.alloc(0)
  for (;;) {
    const piece = stream.read() as Buffer | null
    if (piece === null) {
      if (stream.readableEnded || stream.destroyed) throw new SyntaxError('the first line is missing')
      await Promise.race([once(stream, 'readable'), once(stream, 'end'), once(stream, 'close')])
      continue
    }
    read = Buffer.concat([read, piece])
    const end = read.indexOf(10)
    if (end >= 0) return { request: read.subarray(0, end).toString('utf8'), rest: read.subarray(end + 1) }
    if (read.length > longestLine) throw new SyntaxError('the first line is too long')
  }
}

/** Sends the files of diagnostics, each in pieces, at the speed of the reader. */
export async function serveDiagnostics(stream: ServerHttp2Stream, driver: SledDriver): Promise<void> {
  stream.respond({ ':status': 200 })
  for await (const { serial, name, content } of driver.diagnostics()) {
    await writeLine(stream, diagnosticLine, { is: 'file', serial, name })
    try {
      for await (const data of inPieces(content))
        await writeLine(stream, diagnosticLine, { is: 'bytes', data })
    } catch (error) {
      if (!(error instanceof SledUnreachable)) throw error
      await writeLine(stream, diagnosticLine, { is: 'unreachable', reason: error.message })
    }
  }
  stream.end()
}

async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
