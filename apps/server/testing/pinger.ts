/**
 * Asks a server for /v1/ping all the time, from a process, an address and connections of its own, while a test does
 * its worst to that server: how long others wait meanwhile. It asks another server, which does nothing else, at the
 * same times: what that one takes is due to the machine and is subtracted.
 */
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startChild } from './children.ts'

/**
 * Times from asking to the whole answer, in milliseconds, beyond those of the server that does nothing else. A ping
 * that is due is sent whether others are answered or not.
 */
export interface Pings {
  sent: number
  /** without an answer, or with another one than 200 */
  failed: number
  p50: number
  p99: number
  max: number
}

export interface Pinger {
  /** Sends no more, waits for the last answers, and counts. */
  stop: () => Promise<Pings>
}

const everyMs = 20
const patienceMs = 20_000
// Limits by address must not reach it. Elsewhere than on Linux there is one loopback address only.
const from = process.platform === 'linux' ? { localAddress: '127.0.0.200' } : {}

/** Starts asking; resolves once the first answers are there. */
export async function startPinger(url: string): Promise<Pinger> {
  const file = fileURLToPath(import.meta.url)
  const idle = startChild(file, { ipc: true })
  const [idleUrl] = (await once(idle.process, 'message')) as [string]
  const child = startChild(file, { ipc: true, args: [url, idleUrl] })
  await once(child.process, 'message')
  const stop = async () => {
    child.process.send?.('stop')
    const [pings, machine] = ((await once(child.process, 'message')) as [[Pings, Pings]])[0]
    await Promise.all([child.stop(), idle.stop()])
    const beyond = (key: 'p50' | 'p99' | 'max') => Math.max(0, pings[key] - machine[key])
    return { ...pings, p50: beyond('p50'), p99: beyond('p99'), max: beyond('max') }
  }
  return { stop }
}

/** How long others wait for a ping while something else is done. */
export async function pingsDuring(url: string, work: () => Promise<unknown>): Promise<Pings> {
  const pinger = await startPinger(url)
  await work()
  return pinger.stop()
}

/** Sends pings until the parent says to stop. */
class Sender {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #url: string
  #times: number[] = []
  #sent = 0
  #failed = 0

  constructor(url: string) {
    this.#url = url
  }

  ping(): void {
    const started = performance.now()
    this.#sent++
    get(`${this.#url}/v1/ping`, { agent: this.#agent, ...from }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) this.#times.push(performance.now() - started)
        else this.#failed++
      })
    }).once('error', () => this.#failed++)
  }

  /** Waits until all that were sent have ended; after 20 s the others have failed. */
  async settle(): Promise<void> {
    const end = performance.now() + patienceMs
    while (this.#times.length + this.#failed < this.#sent && performance.now() < end) await wait(5)
  }

  /** The figures so far, and begins anew. What was not answered counts as the longest wait. */
  take(): Pings {
    const times = this.#times.toSorted((a, b) => a - b)
    const missing = this.#sent - times.length
    const at = (share: number) => times[Math.ceil(this.#sent * share) - 1] ?? patienceMs
    const pings = { sent: this.#sent, failed: missing, p50: at(0.5), p99: at(0.99), max: at(1) }
    this.#times = []
    this.#sent = this.#failed = 0
    return pings
  }
}

async function ping(urls: string[]): Promise<void> {
  const senders = urls.map((url) => new Sender(url))
  const all = (work: (sender: Sender) => unknown) => Promise.all(senders.map(work))
  // The first ones find a connection and code that has not run yet.
  for (let i = 0; i < 20; i++)
    await all((sender) => {
      sender.ping()
      return sender.settle()
    })
  await all((sender) => sender.take())
  const timer = setInterval(() => void all((sender) => sender.ping()), everyMs)
  process.send?.('started')
  await once(process, 'message')
  clearInterval(timer)
  await all((sender) => sender.settle())
  process.send?.(await all((sender) => sender.take()), () => process.exit(0))
}

async function answer(): Promise<void> {
  const server = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

if (import.meta.main) {
  const urls = process.argv.slice(2)
  await (urls.length > 0 ? ping(urls) : answer())
}
