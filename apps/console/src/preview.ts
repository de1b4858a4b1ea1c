/**
 * The preview: the control plane itself, running in this page. This is the one file of the console
 * that imports core. Latency, chaos and the record of calls that nobody answers live here.
 */
import { argon2id } from '@noble/hashes/argon2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import type { ApiRequest, ApiResponse } from '@purlin/core/dispatch'
import { createControlPlane, type ControlPlane } from '@purlin/core/control-plane'
import type { World } from '@purlin/core/context'
import { Fault } from '@purlin/core/faults'
import { createMemoryBlobs } from '@purlin/core/memory-blobs'
import type { Passwords } from '@purlin/core/ports'
import { openSerialConsole } from '@purlin/core/resources/instance/console'
import { seedDemo } from '@purlin/core/seed/demo'
import { demoPastMs } from '@purlin/core/seed/history'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { openWasm } from './preview/wasm.ts'
import type { ConsoleSocket, Link, SocketEvents } from './transport.ts'

const latency = { least: 200, spread: 200 }
const chaosStatuses = [401, 403, 404, 500] as const

/** What the preview may be asked for in the address: `?chaos=10` refuses a tenth of all calls, `?latency=0` answers at once. */
export interface PreviewOptions {
  chaosPercent: number
  latency: boolean
}

// The password protects nothing here: it is printed on the sign-in page's own preview dialog.
const cheap = { t: 1, m: 64, p: 1 }
const passwords: Passwords = {
  hash: (password) => {
    const salt = randomBytes(16)
    return Promise.resolve(`${bytesToHex(salt)}$${bytesToHex(argon2id(password, salt, cheap))}`)
  },
  verify: (hash, password) => {
    const [salt = '', digest = ''] = hash.split('$')
    if (!/^[0-9a-f]{32}$/.test(salt)) return Promise.resolve(false)
    const bytes = Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(salt.slice(2 * i, 2 * i + 2), 16))
    return Promise.resolve(bytesToHex(argon2id(password, bytes, cheap)) === digest)
  },
  fingerprint: (secret) => bytesToHex(sha256(new TextEncoder().encode(secret))),
}

const clock: World['clock'] = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

const toConsole =
  (write: (...parts: unknown[]) => void) =>
  (fields: Record<string, unknown>, message: string): void =>
    write(message, fields)

async function openWorld(): Promise<World> {
  return {
    engine: await openWasm(),
    clock,
    ids: { uuid: () => crypto.randomUUID(), bytes: (n) => randomBytes(n) },
    passwords,
    sleds: createSimulatedSleds({ clock, past: demoPastMs }),
    blobs: createMemoryBlobs(),
    sha256: () => {
      const hash = sha256.create()
      return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) }
    },
    log: { info: () => undefined, warn: toConsole(console.warn), error: toConsole(console.error) },
    sessions: { idleMs: 8 * 3_600_000, absoluteMs: 24 * 3_600_000 },
  }
}

const host = 'preview.local'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a control plane with the demo world. Its state lasts until the page is loaded anew. */
export async function startPreview(options: PreviewOptions): Promise<Link> {
  const world = await openWorld()
  const plane = await createControlPlane(world)
  const users = await seedDemo(world)
  plane.loops.wake('instances')
  plane.loops.wake('samples')
  const [first] = users
  let cookie: string | null = null

  const request = (of: { method: string; url: string; body?: string }): ApiRequest => ({
    method: of.method,
    url: of.url,
    header: (name) =>
      name === 'cookie'
        ? cookie
        : name === 'host'
          ? host
          : name === 'content-type'
            ? 'application/json'
            : null,
    body: () => Promise.resolve(of.body ?? ''),
    remote: '127.0.0.1',
    secure: false,
  })
  const answer = async (of: { method: string; url: string; body?: string }): Promise<ApiResponse> => {
    const response = await plane.dispatch(request(of))
    const set = response.headers['set-cookie']?.split(';')[0]
    if (set !== undefined) cookie = set === 'session=' ? null : set
    return response
  }

  // A page that opens anywhere but on sign-in starts signed in: a preview is there to be looked at.
  if (first && !window.location.pathname.startsWith('/login')) await signIn(answer, first)

  const send: Link['send'] = async (of) => {
    if (options.latency) await pause(latency.least + Math.random() * latency.spread)
    const response = chaos(options.chaosPercent, of.url) ?? (await answer(of))
    if (response.status === 404 && !response.body?.includes('error_code'))
      console.warn(`Unhandled request: ${of.method} ${of.url}`)
    return {
      status: response.status,
      header: (name) => response.headers[name.toLowerCase()] ?? null,
      text: () => Promise.resolve(response.body ?? ''),
    }
  }
  // Code that asks past the client for something of the API is answered all the same.
  answerFetches(send)
  return {
    send,
    openSocket: (url, on) => openSocket(plane, request({ method: 'GET', url }), on),
    preview: { silo: first?.silo ?? '' },
  }
}

async function signIn(
  answer: (of: { method: string; url: string; body: string }) => Promise<ApiResponse>,
  user: { silo: string; user: string; password: string },
): Promise<void> {
  const body = JSON.stringify({ username: user.user, password: user.password })
  await answer({ method: 'POST', url: `/v1/login/${user.silo}/local`, body })
}

function chaos(percent: number, url: string): ApiResponse | null {
  // Signing out and in must stay possible, or a refusal could never be left.
  if (Math.random() * 100 >= percent || /\/(login|logout)\b/.test(url)) return null
  const status = chaosStatuses[Math.floor(Math.random() * chaosStatuses.length)] ?? 500
  const message = `chaos: refused with ${status}`
  return {
    status,
    headers: { 'x-chaos': String(status), 'x-request-id': crypto.randomUUID() },
    body: JSON.stringify({ message }),
  }
}

function answerFetches(send: Link['send']): void {
  const original = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const asked = new Request(input, init)
    const { pathname, search, origin } = new URL(asked.url)
    if (origin !== window.location.origin || !pathname.startsWith('/v1/')) return original(input, init)
    const body = asked.method === 'GET' ? undefined : await asked.text()
    const response = await send({
      method: asked.method,
      url: pathname + search,
      headers: {},
      ...(body === undefined ? {} : { body }),
    })
    const requestId = response.header('x-request-id')
    return new Response(response.status === 204 ? null : await response.text(), {
      status: response.status,
      headers: { 'content-type': 'application/json', ...(requestId ? { 'x-request-id': requestId } : {}) },
    })
  }
}

function openSocket(plane: ControlPlane, request: ApiRequest, on: SocketEvents): ConsoleSocket {
  let over = false
  const end = (reason: string, error: boolean) => {
    if (over) return
    over = true
    on.closed({ reason, error })
  }
  const listener = {
    data: (bytes: Uint8Array) => over || on.data(bytes),
    closed: (reason: string) => end(reason, false),
  }
  const stream = plane
    .upgrade(request)
    .then(({ ctx, input }) => openSerialConsole(ctx, input, listener))
    .then((opened) => {
      if (over) opened.close()
      else on.open()
      return opened
    })
    .catch((error: unknown) => {
      end(error instanceof Fault ? error.message : 'the serial console failed', true)
      return null
    })
  return {
    send: (data) => void stream.then((opened) => opened?.write(data)),
    close: () => {
      over = true
      void stream.then((opened) => opened?.close())
    },
  }
}
