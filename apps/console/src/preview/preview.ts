/**
 * The preview: the control plane itself, running in this page. This is the one file of the console
 * that imports core. Adds latency and failures, and logs calls that no operation handles.
 */
import { piecesOf, textOf, type ApiRequest, type ApiResponse, type Transport } from '@purlin/contract/http'
import { eventStream } from '@purlin/contract/operations/lists/events'
import { type ControlPlane, createControlPlane, Fault, openConsole, type World } from '@purlin/core'
import { demoUsers, moveDemo } from '@purlin/core/seed'
import { openWasm } from '@purlin/databases/sqlite-wasm'
import { answerWorker, startWorker } from './serviceWorker.ts'
import { demoFile, openWorld } from './world.ts'
import {
  type ConsoleSocket,
  type ConsoleTransport,
  type EventsAnswer,
  type FileAnswer,
  messageIn,
  type SocketEvents,
} from '#/api/transport.ts'

const latency = { least: 200, spread: 200 }
const chaosStatuses = [401, 403, 404, 500] as const

/** Options in the address: `?chaos=10` makes a tenth of all calls fail, `?latency=0` turns off the latency. */
export interface PreviewOptions {
  chaosPercent: number
  latency: boolean
}

const clock: World['clock'] = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

const host = 'preview.local'

/** Opens the database that the build has made, as if that had been just now. */
async function openDemo(): Promise<World> {
  const response = await fetch(`/${demoFile}`)
  if (!response.ok) throw new Error(`the preview has no database: ${response.status}`)
  const engine = await openWasm(new Uint8Array(await response.arrayBuffer()))
  await engine.transaction('write', (tx) => moveDemo(tx, clock.now()))
  return openWorld({ engine, clock, readsCertificates: isSecureContext })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a control plane with demo data. Its state lasts until the page is reloaded. */
export async function startPreview(options: PreviewOptions): Promise<ConsoleTransport> {
  const worker = startWorker()
  const world = await openDemo()
  const plane = await createControlPlane(world)
  const [first] = demoUsers
  const jar = new Map<string, string>()

  const withCookie = (request: ApiRequest): ApiRequest => ({
    ...request,
    headers: {
      ...request.headers,
      host,
      ...(jar.size === 0 ? {} : { cookie: [...jar.values()].join('; ') }),
    },
  })
  const dispatch: Transport = async (request) => {
    // It never ends: what asks for it past the client cannot be answered.
    if (request.url.startsWith(eventStream.path)) return { status: 404, headers: {}, body: null }
    const { stream, ...answer } = await plane.dispatch(withCookie(request))
    const response = stream ? { ...answer, body: await textOf({ ...answer, stream }) } : answer
    for (const set of response.cookies ?? []) keepCookie(jar, set)
    return response
  }

  // Every page except sign-in starts signed in.
  if (first && !window.location.pathname.startsWith('/login')) await signIn(dispatch, first)

  const send: ConsoleTransport['send'] = async (request) => {
    if (options.latency) await pause(latency.least + Math.random() * latency.spread)
    const response = chaos(options.chaosPercent, request.url) ?? (await dispatch(request))
    // As fetch does: a request that the page has given up is no failure to report.
    if (request.signal instanceof AbortSignal) request.signal.throwIfAborted()
    if (response.status === 404 && !response.body?.includes('error_code'))
      console.warn(`Unhandled request: ${request.method} ${request.url}`)
    return response
  }
  answerWorker(send)
  await worker
  return {
    send,
    openEvents: (url, how) => openEvents((request) => plane.dispatch(withCookie(request)), url, how),
    openSocket: (url, on) => openSocket(plane, withCookie({ method: 'GET', url, headers: {} }), on),
    readFile: (url) => readFile(send, url),
    preview: { silo: first?.silo ?? '' },
  }
}

/** Keeps a cookie by its name, or forgets it if it is empty. All of them are sent to all addresses. */
function keepCookie(jar: Map<string, string>, set: string): void {
  const [pair = ''] = set.split(';')
  const [name = ''] = pair.split('=')
  if (pair === `${name}=`) jar.delete(name)
  else jar.set(name, pair)
}

async function readFile(send: Transport, url: string): Promise<FileAnswer> {
  const { status, body, bytes, headers } = await send({ method: 'GET', url, headers: {} })
  const parts = bytes ? await piecesOf(bytes) : [body ?? '']
  return { status, headers, file: new Blob(parts, { type: headers['content-type'] ?? 'text/plain' }) }
}

async function openEvents(
  dispatch: (request: ApiRequest) => Promise<ApiResponse>,
  url: string,
  { lastEventId, signal }: { lastEventId: string; signal: AbortSignal },
): Promise<EventsAnswer> {
  const headers = { 'last-event-id': lastEventId }
  const { status, stream, body } = await dispatch({ method: 'GET', url, headers })
  const text = stream?.[Symbol.asyncIterator]()
  if (!text) return { status, text: null, message: messageIn(body) }
  const close = () => void text.return?.()
  if (signal.aborted) close()
  else signal.addEventListener('abort', close, { once: true })
  return { status, text: { [Symbol.asyncIterator]: () => text }, message: '' }
}

async function signIn(
  dispatch: Transport,
  user: { silo: string; user: string; password: string },
): Promise<void> {
  const body = JSON.stringify({ username: user.user, password: user.password })
  await dispatch({ method: 'POST', url: `/v1/login/${user.silo}/local`, headers: {}, body })
}

function chaos(percent: number, url: string): ApiResponse | null {
  // Signing in and out never fails, so that the user can recover.
  if (Math.random() * 100 >= percent || /\/(login|logout)\b/.test(url)) return null
  const status = chaosStatuses[Math.floor(Math.random() * chaosStatuses.length)] ?? 500
  const message = `chaos: refused with ${status}`
  return {
    status,
    headers: { 'x-chaos': String(status), 'x-request-id': crypto.randomUUID() },
    body: JSON.stringify({ message }),
  }
}

function openSocket(plane: ControlPlane, request: ApiRequest, on: SocketEvents): ConsoleSocket {
  let over = false
  // Earlier output arrives before the console is open.
  let early: Uint8Array[] | undefined = []
  const begin = () => {
    on.open()
    for (const bytes of [...(early ?? []), new Uint8Array()]) on.data(bytes)
    early = undefined
  }
  const end = (reason: string, error: boolean) => {
    if (over) return
    over = true
    on.closed({ reason, error })
  }
  const listener = {
    data: (bytes: Uint8Array) => {
      if (early) early.push(bytes)
      else if (!over) on.data(bytes)
    },
    closed: (reason: string) => end(reason, false),
  }
  const stream = plane
    .upgrade(request)
    .then(({ ctx, input }) => openConsole(ctx, input, listener))
    .then((opened) => {
      if (over) opened.stream.close()
      else begin()
      return opened.stream
    })
    .catch((error: unknown) => {
      end(error instanceof Fault ? error.message : 'the console failed', true)
      return null
    })
  return {
    send: (data) => void stream.then((opened) => opened?.receive(data)),
    close: () => {
      over = true
      void stream.then((opened) => opened?.close())
    },
  }
}
